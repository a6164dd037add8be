// Recursion: deep, mutual, with large frames, through several parameters.
#include <stdio.h>
#include <string.h>

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int moves;
static void hanoi(int n, char from, char to, char via) {
    if (n == 0) return;
    hanoi(n - 1, from, via, to);
    if (moves++ < 10) printf("%d:%c%c ", n, from, to);
    hanoi(n - 1, via, to, from);
}

static long depth(int n) {
    char buffer[200];
    memset(buffer, n, sizeof buffer);
    return n == 0 ? 0 : buffer[n % 200] * 0 + 1 + depth(n - 1);
}

static void permute(char *s, int k, int *count) {
    if (!s[k]) {
        if (++*count % 10 == 0) printf("%s ", s);
        return;
    }
    for (int i = k; s[i]; i++) {
        char t = s[k];
        s[k] = s[i], s[i] = t;
        permute(s, k + 1, count);
        t = s[k], s[k] = s[i], s[i] = t;
    }
}

static unsigned long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
    printf("%d\n", ackermann(2, 9));
    printf("%d %d\n", is_even(10000), is_odd(777));
    hanoi(10, 'a', 'c', 'b');
    printf("\n%d\n", moves);
    printf("%ld\n", depth(10000));
    char s[] = "abcde";
    int count = 0;
    permute(s, 0, &count);
    printf("\n%d\n", count);
    printf("%lu\n", fib(22));
    return 0;
}
