// Numeric work: integration, root finding, differential equations, statistics, a random walk, least squares.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double square(double x) { return x * x; }
static double bump(double x) { return exp(-x * x / 2); }
static double simpson(double (*f)(double), double a, double b, int n) {
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++) s += (i & 1 ? 4 : 2) * f(a + i * h);
    return s * h / 3;
}
static double adaptive(double (*f)(double), double a, double b, double eps, int *calls) {
    double m = (a + b) / 2, whole = simpson(f, a, b, 2), halves = simpson(f, a, m, 2) + simpson(f, m, b, 2);
    ++*calls;
    if (fabs(whole - halves) < 15 * eps) return halves + (halves - whole) / 15;
    return adaptive(f, a, m, eps / 2, calls) + adaptive(f, m, b, eps / 2, calls);
}
static double bisect(double (*f)(double), double a, double b) {
    while (b - a > 1e-12) {
        double m = (a + b) / 2;
        if ((f(a) < 0) == (f(m) < 0)) a = m;
        else b = m;
    }
    return a;
}
static double cubic(double x) { return x * x * x - 2 * x - 5; }
static void pendulum(double t, const double y[2], double out[2]) { (void)t, out[0] = y[1], out[1] = -9.81 * sin(y[0]); }
static void rk4(void (*f)(double, const double *, double *), double t, double *y, double h) {
    double k[4][2], z[2];
    f(t, y, k[0]);
    for (int s = 1; s < 4; s++) {
        double c = s == 3 ? h : h / 2;
        for (int i = 0; i < 2; i++) z[i] = y[i] + c * k[s - 1][i];
        f(t + c, z, k[s]);
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

int main(void) {
    int calls = 0;
    printf("%.12f %.12f\n", simpson(square, 0, 3, 10), simpson(bump, -5, 5, 200));
    printf("%.12f", adaptive(bump, -5, 5, 1e-10, &calls));
    printf(" %d\n%.12f\n", calls, bisect(cubic, 2, 3));
    double y[2] = {1, 0};
    for (int i = 0; i < 1000; i++) rk4(pendulum, i * 0.01, y, 0.01);
    printf("%.9f %.9f\n", y[0], y[1]);
    srand(5);
    double mean = 0, m2 = 0, x = 0, peak = 0;
    for (int i = 1; i <= 2000; i++) {
        double u = rand() / (RAND_MAX + 1.0), v = rand() / (RAND_MAX + 1.0), n = sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
        double d = n - mean;
        mean += d / i, m2 += d * (n - mean), x += n;
        if (fabs(x) > peak) peak = fabs(x);
    }
    printf("%.9f %.9f %.9f %.9f\n", mean, sqrt(m2 / 1999), x, peak);
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < 50; i++) {
        double a = i * 0.5, b = 3 * a + 7 + sin(i);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    double slope = (50 * sxy - sx * sy) / (50 * sxx - sx * sx);
    printf("%.10f %.10f\n", slope, (sy - slope * sx) / 50);
    return 0;
}
