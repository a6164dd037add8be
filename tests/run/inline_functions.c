// Inline, static inline, extern inline, noreturn, recursion between them, function attributes.
#include <stdio.h>
#include <stdlib.h>

inline int plain(int x) { return x + 1; }
extern inline int plain(int x);
static inline int twice(int x) { return plain(x) * 2; }
_Noreturn static void stop(int code) {
    printf("stop %d\n", code);
    exit(code);
}
static inline unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
__attribute__((noinline)) static long collatz(long n, int *steps) {
    long peak = n;
    for (*steps = 0; n != 1; ++*steps) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (n > peak) peak = n;
    }
    return peak;
}
__attribute__((hot)) static int hot(int x) { return x; }
__attribute__((cold)) static int cold(int x) { return -x; }
__attribute__((deprecated, unused)) static int unused(void) { return 0; }
__attribute__((warn_unused_result)) static int must(void) { return 3; }
__attribute__((returns_nonnull)) static int *nonnull(void) { static int x = 4; return &x; }
__attribute__((visibility("hidden"))) int hidden = 6;
__attribute__((section(".data.mine"))) static int placed = 7;

int main(void) {
    printf("%d %d %u\n", plain(1), twice(5), gcd(1071, 462));
    int steps;
    long peak = collatz(27, &steps);
    printf("%ld %d\n", peak, steps);
    printf("%d %d %d %d %d %d\n", hot(1), cold(2), must(), *nonnull(), hidden, placed);
    int (*volatile f)(int) = plain;
    printf("%d\n", f(41));
    if (steps > 100) stop(0);
    return 1;
}
