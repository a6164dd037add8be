// math.h: every common function on ordinary and special arguments.
// cflags: -fno-builtin
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2, 2.5, -2.5, 3.7, 10, 0.1, 100.25, 1e-5, 1e10, 1e300, 1e-300, INFINITY, -INFINITY};

static void show(const char *name, double x) {
    if (x != x) printf(" %s=nan", name);
    else printf(" %s=%a", name, x);
}

int main(void) {
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i];
        printf("%g:", x);
#define ONE(F) show(#F, F(x));
        ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(exp2)
        ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt) ONE(cbrt) ONE(fabs) ONE(floor) ONE(ceil) ONE(round)
        ONE(trunc) ONE(rint) ONE(nearbyint) ONE(erf) ONE(tgamma) ONE(lgamma) ONE(asinh) ONE(acosh) ONE(atanh) ONE(logb)
        int e;
        show("frexp", frexp(x, &e));
        double whole;
        show("modf", modf(x, &whole)), show("whole", whole);
        printf(" %d %d %d %d\n", isfinite(x) ? e : 0, isfinite(x) && x != 0 ? ilogb(x) : 0, fpclassify(x), signbit(x) != 0);
        float f = (float)x;
#define ONEF(F) show(#F, F(f));
        ONEF(sinf) ONEF(cosf) ONEF(sqrtf) ONEF(expf) ONEF(logf) ONEF(floorf) ONEF(fabsf) ONEF(roundf) ONEF(atanf)
        printf("\n");
        for (unsigned j = 0; j < sizeof values / sizeof *values; j += 3) {
            double y = values[j];
#define TWO(F) show(#F, F(x, y));
            TWO(pow) TWO(fmod) TWO(atan2) TWO(hypot) TWO(fmax) TWO(fmin) TWO(fdim) TWO(copysign) TWO(remainder) TWO(nextafter)
            printf("\n");
        }
        show("fma", fma(x, 3, 0.1)), show("ldexp", ldexp(x, 5)), show("scalbn", scalbn(x, -3));
        if (fabs(x) < 1e15) printf(" %ld %lld %ld", lround(x), llround(x), lrint(x));
        printf("\n");
    }
    int quotient;
    show("remquo", remquo(17.5, 3, &quotient)), printf(" %d\n", quotient);
    errno = 0;
    double bad = sqrt(-1.0);
    printf("%d %d", bad != bad, errno == EDOM);
    errno = 0;
    double big = exp(1000);
    printf(" %d %d", isinf(big), errno == ERANGE);
    errno = 0;
    big = log(0);
    printf(" %d %d\n", isinf(big), errno == ERANGE);
    printf("%d %d\n", isgreater(1.0, 2.0), islessgreater(1.0, 2.0));
    show("long", (double)sinl(1.0L)), show("powl", (double)powl(2.0L, 0.5L)), show("expl", (double)expl(1.5L));
    show("j0", j0(1.5)), show("y1", y1(2.5)), show("jn", jn(3, 2.5));
    printf("\n%d\n", fegetround() == FE_TONEAREST);
    return 0;
}
