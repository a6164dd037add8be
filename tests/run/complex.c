// Complex arithmetic.
#include <complex.h>
#include <stdio.h>

static double complex roots[3];
static void show(const char *what, double complex z) { printf("%s %.15g %.15g\n", what, creal(z), cimag(z)); }
static float complex half(float complex z) { return z / 2; }
static double complex conjugate_sum(double complex a, int k, double complex b) { return conj(a) * k + b; }

int main(void) {
    double complex a = 1.5 + 2.0 * I, b = -0.5 + 1.0 * I;
    show("+", a + b), show("-", a - b), show("*", a * b), show("/", a / b), show("neg", -a);
    show("conj", conj(a)), show("mixed", a * 2 + 1);
    float complex f = half(3.0f + 1.0f * I);
    printf("%g %g\n", crealf(f), cimagf(f));
    show("sum", conjugate_sum(a, 3, b));
    printf("%.15g %.15g\n", cabs(3 + 4 * I), carg(1 + 1 * I));
    for (int i = 0; i < 3; i++) roots[i] = cexp(2 * 3.141592653589793 * I * i / 3);
    for (int i = 0; i < 3; i++) printf("%.9f %.9f\n", creal(roots[i]), cimag(roots[i]));
    show("sqrt", csqrt(-4 + 0.0 * I));
    printf("%d %d\n", a == b, a != b);
    a += b;
    a *= I;
    show("compound", a);
    printf("%zu %g %g\n", sizeof a, __real__ a, __imag__ a);
    __real__ a = 7;
    show("real", a);
    double complex z = 0, c = -0.7 + 0.27 * I;
    int n = 0;
    while (cabs(z) < 2 && n < 100) z = z * z + c, n++;
    printf("%d\n", n);
    long double complex l = 1.0L + 2.0L * I;
    l = l * l;
    printf("%Lg %Lg\n", creall(l), cimagl(l));
    return 0;
}
