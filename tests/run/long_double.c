// long double: 80-bit arithmetic, conversion, printing, passing and returning.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void dump(long double x) {
    unsigned char b[16];
    memset(b, 0, sizeof b);
    memcpy(b, &x, 10);
    for (int i = 9; i >= 0; i--) printf("%02x", b[i]);
    printf(" %.21Lg %La\n", x, x);
}

static long double horner(const long double *c, int n, long double x) {
    long double r = 0;
    while (n--) r = r * x + c[n];
    return r;
}

struct mixed {
    char c;
    long double x;
    int i;
};

static struct mixed twice(struct mixed m) {
    m.x *= 2, m.i *= 2;
    return m;
}

int main(void) {
    dump(1.0L), dump(0.1L), dump(1.0L / 3), dump(-2.5L), dump(LDBL_MAX), dump(LDBL_MIN), dump(LDBL_EPSILON);
    dump(3.6e-4951L), dump(1e4000L * 1e900L), dump(0.0L), dump(-0.0L), dump(INFINITY);
    long double values[] = {1, 3, 0.7L, 1e30L, 1e-30L, -5.5L};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            volatile long double a = values[i], b = values[j];
            dump(a + b), dump(a - b), dump(a * b), dump(a / b);
            printf("%d%d%d%d\n", a < b, a > b, a == b, a <= b);
        }
    }
    printf("%zu %zu\n", sizeof(long double), sizeof(struct mixed));
    printf("%.17g %.9g %d %lld %llu\n", (double)(1.0L / 3), (float)(1.0L / 3), (int)-3.9L, (long long)9e18L,
           (unsigned long long)1.8e19L);
    volatile unsigned long long big = 0xffffffffffffffffull;
    volatile long long negative = -0x7fffffffffffffffll - 1;
    dump(big), dump(negative), dump((float)0.1f), dump(0.1);
    long double c[] = {1, -2, 3, -4, 5};
    dump(horner(c, 5, 1.5L));
    struct mixed m = {'x', 1.25L, 21};
    m = twice(m);
    printf("%c %Lg %d\n", m.c, m.x, m.i);
    printf("%Lf|%.3Lf|%20.5Le|%-20Lg|%+Lg|%#Lg\n", 1.5L, 2.0L / 3, 12345.678L, 0.0001L, 7.0L, 7.0L);
    long double e = 1, term = 1;
    for (int i = 1; i < 30; i++) term /= i, e += term;
    printf("%.18Lf\n", e);
    dump(sqrtl(2.0L)), dump(fabsl(-3.0L)), dump(floorl(-2.5L)), dump(ldexpl(1.5L, 100));
    volatile long double nan = NAN;
    printf("%d %d %Lf %Lf\n", nan == nan, nan < 1, nan < 0 ? nan : fabsl(nan), -(long double)INFINITY);
    return 0;
}
