// float and double: arithmetic, comparison, conversion, special values.
#include <float.h>
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
    double values[] = {0.0, -0.0, 1.0, -1.0, 0.1, 1e308, -1e308, 1e-308, DBL_MIN, DBL_MAX, DBL_EPSILON, 5e-324,
                       INFINITY, -INFINITY, 3.141592653589793, 123456789.123456789, 4503599627370497.5};
    int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            volatile double a = values[i], b = values[j];
            printf("%.17g %.17g %.17g %.17g ", a + b == a + b ? a + b : 0, a - b == a - b ? a - b : 0,
                   a * b == a * b ? a * b : 0, a / b == a / b ? a / b : 0);
            printf("%d%d%d%d%d%d\n", a < b, a <= b, a == b, a != b, a > b, a >= b);
            volatile float c = (float)a, d = (float)b;
            printf("%.9g %.9g %.9g\n", c + d == c + d ? c + d : 0, c * d == c * d ? c * d : 0,
                   c / d == c / d ? c / d : 0);
        }
        printf("%016llx %08x\n", (unsigned long long)bits(values[i]), fbits((float)values[i]));
    }
    volatile double nan = NAN;
    printf("%d%d%d%d%d%d\n", nan < 1, nan > 1, nan == nan, nan != nan, nan <= nan, !nan);
    printf("%d %d %d %d\n", isnan(nan), isinf(1 / 0.0), isfinite(1.0), signbit(-0.0) != 0);
    volatile double big = 1e10, small = -1e-10, half = 2.5;
    printf("%lld %lld %d %d %u\n", (long long)big, (long long)small, (int)half, (int)-half, (unsigned)4e9);
    printf("%llu %.17g %.9g\n", (unsigned long long)1.8e19, (double)UINT64_MAX, (float)INT64_MAX);
    printf("%.17g %.17g\n", (double)(1LL << 53) + 1, (double)((1LL << 53) + 1));
    printf("%.9g %.9g\n", (float)16777217, (float)0.1);
    float sum = 0;
    for (int i = 0; i < 1000000; i++) sum += 0.1f;
    printf("%.9g\n", sum);
    double s = 0;
    for (int i = 1; i < 100000; i++) s += 1.0 / i;
    printf("%.17g\n", s);
    printf("%a %a %a\n", 1.0 / 3, -DBL_MIN, (double)FLT_MAX);
    volatile float f = 1.1f;
    f += 1.1;
    f *= f;
    printf("%.9g %d\n", f, f == 2.2 * 2.2);
    printf("%.17g %.17g\n", fmod(10.5, 3), fmod(-10.5, 3));
    int i = 7;
    i *= 1.5;
    i += -0.9;
    printf("%d %g\n", i, -(double)i);
    unsigned char c = (unsigned char)(int)3.99;
    printf("%u %d\n", c, 0.1 + 0.2 == 0.3);
    return 0;
}
