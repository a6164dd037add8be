// printf of floating-point numbers: every conversion, flag and precision.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    double values[] = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, 0.1, 123.456, 1e10, 1e-10, 1e100, 1e-100, 999999.5, 0.00001234,
                       DBL_MAX, DBL_MIN, 5e-324, 9.995, 1e15, 1e16, 123456789012345678.0, INFINITY, -INFINITY};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("[%f] [%e] [%g] [%a]\n", v, v, v, v);
        printf("[%F] [%E] [%G] [%A]\n", v, v, v, v);
        printf("[%.0f] [%.0e] [%.0g] [%.0a]\n", v, v, v, v);
        printf("[%#.0f] [%#.0e] [%#.0g] [%#.0a]\n", v, v, v, v);
        printf("[%.3f] [%.3e] [%.3g] [%.3a]\n", v, v, v, v);
        printf("[%12.3f] [%-12.3e] [%012.3g] [%+.3f] [% .3f] [%+012.2f] [%#g]\n", v, v, v, v, v, v, v);
        printf("[%.17g] [%.20f] [%.25e]\n", v, v, v);
        printf("[%*.*f] [%-*.*e]\n", 10, 2, v, 14, 1, v);
    }
    printf("%f %f\n", fabs(NAN), -fabs(NAN));
    printf("[%10f] [%-10F] [%010f] [%+f]\n", fabs(NAN), fabs(NAN), INFINITY, INFINITY);
    printf("%.60f\n", 0.1);
    printf("%.400f\n", 1e-300);
    printf("%.5f %.5f %.1f %.1f %.1f %.1f\n", 1.000005, 1.000015, 0.25, 0.35, 0.45, 0.05);
    for (int p = 0; p < 12; p++) printf("%.*g ", p, 123456.789);
    printf("\n");
    for (int p = 0; p < 8; p++) printf("%.*a ", p, 1.999);
    printf("\n");
    printf("%g %g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1e5 + 0.5);
    printf("%#g %#g %#.3g\n", 100000.0, 1e-5, 10.0);
    float f = 0.1f;
    printf("%g %.10g %f\n", f, f, f * f);
    printf("%'f %'.2f\n", 1234567.891, 9876543.21);
    return 0;
}
