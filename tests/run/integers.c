// Every operator on every integer type, at the edges of the types.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static unsigned long long digest = 1469598103934665603ull;

static void note(long long value) {
    for (int i = 0; i < 8; i++) {
        digest ^= (unsigned char)(value >> (8 * i));
        digest *= 1099511628211ull;
    }
}

#define SIGNED(NAME, T, LOW, HIGH)                                             \
    static void NAME(void) {                                                   \
        static const T values[] = {LOW, (T)(LOW + 1), -100, -7, -3, -2, -1, 0, \
                                   1, 2, 3, 7, 100, (T)(HIGH - 1), HIGH};      \
        int n = sizeof values / sizeof *values;                                \
        for (int i = 0; i < n; i++) {                                          \
            volatile T a = values[i];                                          \
            note((T)~a);                                                       \
            note(!a);                                                          \
            note(+a);                                                          \
            if (a != LOW) note((T)-a);                                         \
            for (int j = 0; j < n; j++) {                                      \
                volatile T b = values[j];                                      \
                note((T)(a & b)), note((T)(a | b)), note((T)(a ^ b));          \
                note(a < b), note(a <= b), note(a > b), note(a >= b);          \
                note(a == b), note(a != b), note(a && b), note(a || b);        \
                T r;                                                           \
                note(__builtin_add_overflow(a, b, &r)), note(r);               \
                note(__builtin_sub_overflow(a, b, &r)), note(r);               \
                note(__builtin_mul_overflow(a, b, &r)), note(r);               \
                if (b != 0 && !(a == LOW && b == -1)) note(a / b), note(a % b);\
            }                                                                  \
            for (unsigned s = 0; s < sizeof(T) * 8; s++) note((T)(a >> s));    \
        }                                                                      \
        printf("%-10s %016llx\n", #T, digest);                                 \
    }

#define UNSIGNED(NAME, T, HIGH)                                                \
    static void NAME(void) {                                                   \
        static const T values[] = {0, 1, 2, 3, 7, 100, HIGH / 2, HIGH / 2 + 1, \
                                   (T)(HIGH - 1), HIGH};                       \
        int n = sizeof values / sizeof *values;                                \
        for (int i = 0; i < n; i++) {                                          \
            volatile T a = values[i];                                          \
            note((T)~a), note((T)-a), note(!a);                                \
            for (int j = 0; j < n; j++) {                                      \
                volatile T b = values[j];                                      \
                note((T)(a + b)), note((T)(a - b));                            \
                note((T)((unsigned long long)a * b));                          \
                note((T)(a & b)), note((T)(a | b)), note((T)(a ^ b));          \
                note(a < b), note(a <= b), note(a > b), note(a >= b);          \
                if (b != 0) note((T)(a / b)), note((T)(a % b));                \
            }                                                                  \
            for (unsigned s = 0; s < sizeof(T) * 8; s++) {                     \
                note((T)(a >> s)), note((T)((unsigned long long)a << s));      \
            }                                                                  \
        }                                                                      \
        printf("%-10s %016llx\n", #T, digest);                                 \
    }

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long s64;
typedef unsigned long u64;
SIGNED(signed8, s8, SCHAR_MIN, SCHAR_MAX)
SIGNED(signed16, s16, SHRT_MIN, SHRT_MAX)
SIGNED(signed32, s32, INT_MIN, INT_MAX)
SIGNED(signed64, s64, LONG_MIN, LONG_MAX)
UNSIGNED(unsigned8, u8, UCHAR_MAX)
UNSIGNED(unsigned16, u16, USHRT_MAX)
UNSIGNED(unsigned32, u32, UINT_MAX)
UNSIGNED(unsigned64, u64, ULONG_MAX)

int main(void) {
    signed8();
    signed16();
    signed32();
    signed64();
    unsigned8();
    unsigned16();
    unsigned32();
    unsigned64();
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(void *));
    return 0;
}
