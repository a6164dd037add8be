// What C leaves undefined and clang at -O0 leaves to the processor: overflow, shifts, conversions out of range, NaNs.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d) {
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}
static uint32_t fbits(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

int main(void) {
    volatile int big = INT_MAX, low = INT_MIN;
    volatile long wide = LONG_MAX;
    printf("%d %d %d %ld %ld %d\n", big + 1, low - 1, big * 2, wide + 1, wide * 3, -low);
    for (volatile int s = -3; s < 70; s += 7) {
        volatile int a = 0x12345678;
        volatile unsigned u = 0x92345678u;
        volatile long l = 0x123456789abcdefL;
        volatile unsigned long ul = 0xf23456789abcdef0ul;
        volatile short h = 0x1234;
        printf("%d: %d %d %u %u %ld %ld %lu %lu %d %d\n", s, a << s, a >> s, u << s, u >> s, l << s, l >> s, ul << s, ul >> s,
               h << s, h >> s);
    }
    volatile double values[] = {0, -1, 1.5, -1.5, 127.9, 128, 255, 256, -129, 32768, 65536, 2147483647.0, 2147483648.0, -2147483648.0,
                                -2147483649.0, 4294967295.0, 4294967296.0, 9.2233720368547748e18, 9.2233720368547758e18, 1.8446744073709552e19,
                                -9.2233720368547758e18, -1e19, 1e30, -1e30, INFINITY, -INFINITY};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double d = values[i];
        float f = (float)d;
        long double x = d;
        printf("%g: %d %u %d %u %d %u %ld %lu\n", d, (signed char)d, (unsigned char)d, (short)d, (unsigned short)d, (int)d, (unsigned)d,
               (long)d, (unsigned long)d);
        printf("  %d %u %ld %lu | %d %u %ld %lu\n", (int)f, (unsigned)f, (long)f, (unsigned long)f, (int)x, (unsigned)x, (long)x,
               (unsigned long)x);
        printf("  %d %u %d %u | %d %u %d %u\n", (signed char)f, (unsigned char)f, (short)f, (unsigned short)f, (signed char)x, (unsigned char)x,
               (short)x, (unsigned short)x);
    }
    volatile double nan = NAN, zero = 0, inf = INFINITY;
    printf("%d %u %ld %lu\n", (int)nan, (unsigned)nan, (long)nan, (unsigned long)nan);
    volatile long double lnan = NAN;
    printf("%d %d %u %ld %lu\n", (short)lnan, (int)lnan, (unsigned)lnan, (long)lnan, (unsigned long)lnan);
    printf("%f %f %f %f %f %f\n", nan, -nan, zero / zero, inf - inf, inf * zero, sqrt(-1.0 + zero));
    printf("%016lx %016lx %016lx\n", bits(zero / zero), bits(inf - inf), bits(-nan));
    uint64_t patterns[] = {0x7ff8000000000001, 0xfff8000000000002, 0x7ff0000000000003, 0xfff0000000000004, 0x3ff0000000000000, 0x7ff0000000000000};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double a, b;
            memcpy(&a, &patterns[i], 8), memcpy(&b, &patterns[j], 8);
            printf("%016lx %016lx %016lx %016lx %08x\n", bits(a + b), bits(a - b), bits(a * b), bits(a / b), fbits((float)a));
            float c, d;
            uint32_t p = (uint32_t)(patterns[i] >> 32), q = (uint32_t)(patterns[j] >> 32) + (uint32_t)j;
            memcpy(&c, &p, 4), memcpy(&d, &q, 4);
            printf("%08x %08x %08x %016lx\n", fbits(c + d), fbits(c * d), fbits(c / d), bits(c));
        }
    printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan >= 1));
    return 0;
}
