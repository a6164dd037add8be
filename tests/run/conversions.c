// Implicit and explicit conversions between integer types: truncation, extension, promotion.
#include <stdbool.h>
#include <stdio.h>

static const long long values[] = {0, 1, -1, 127, 128, 129, 255, 256, 257, -128, -129, 32767, 32768,
                                   65535, 65536, -32768, -32769, 2147483647, 2147483648LL, 4294967295LL,
                                   4294967296LL, -2147483648LL, -2147483649LL, 0x7fffffffffffffffLL,
                                   -0x7fffffffffffffffLL - 1, 0x123456789abcdef0LL};

enum small { A = -1, B = 300 };

int main(void) {
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        volatile long long v = values[i];
        printf("%lld: %d %u %d %u %d %u %ld %lu %d\n", v, (signed char)v, (unsigned char)v, (short)v,
               (unsigned short)v, (int)v, (unsigned)v, (long)v, (unsigned long)v, (bool)v);
        signed char c = (signed char)v;
        unsigned char uc = (unsigned char)v;
        printf("  %d %u %ld %lu | %d %u %ld %lu\n", (int)c, (unsigned)c, (long)c, (unsigned long)c, (int)uc,
               (unsigned)uc, (long)uc, (unsigned long)uc);
    }
    unsigned char a = 200, b = 100;
    printf("%d %d %d\n", a + b, (unsigned char)(a + b), a - b - 150);
    printf("%d %d\n", -1 < 1u, (long)-1 < 1u);
    unsigned short us = 65535;
    printf("%d %d\n", us + 1, (unsigned short)(us + 1));
    char ch = '\xff';
    printf("%d %d\n", ch, ch == 0xff);
    printf("%d %u %zu\n", A, (unsigned)A, sizeof(enum small));
    long n = -5;
    printf("%lu %lu\n", (unsigned long)n % 3, n / 2u);
    signed char sc = -128;
    sc = -sc;
    printf("%d\n", sc);
    a += 300;
    b *= 3;
    us <<= 4;
    printf("%u %u %u\n", a, b, us);
    int x = 'a' * 'b';
    printf("%d %d\n", x, (char)x);
    bool flag = 256;
    flag += 5;
    printf("%d %d %zu\n", flag, (bool)0.1, sizeof flag);
    return 0;
}
