// Matrices: multiplication, determinant, inverse by Gauss-Jordan, powers, transposition.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double *a; } matrix;
#define AT(m, i, j) (m).a[(i) * (m).n + (j)]

static matrix new(int n) { return (matrix){n, calloc((size_t)n * n, sizeof(double))}; }
static matrix mul(matrix x, matrix y) {
    matrix r = new(x.n);
    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < x.n; j++)
            for (int k = 0; k < x.n; k++) AT(r, i, j) += AT(x, i, k) * AT(y, k, j);
    return r;
}
static double gauss(matrix m, matrix *inverse) {
    double det = 1;
    *inverse = new(m.n);
    matrix w = new(m.n);
    for (int i = 0; i < m.n * m.n; i++) w.a[i] = m.a[i];
    for (int i = 0; i < m.n; i++) AT(*inverse, i, i) = 1;
    for (int c = 0; c < m.n; c++) {
        int best = c;
        for (int r = c + 1; r < m.n; r++)
            if (fabs(AT(w, r, c)) > fabs(AT(w, best, c))) best = r;
        if (AT(w, best, c) == 0) return 0;
        if (best != c) {
            det = -det;
            for (int j = 0; j < m.n; j++) {
                double t = AT(w, c, j);
                AT(w, c, j) = AT(w, best, j), AT(w, best, j) = t;
                t = AT(*inverse, c, j);
                AT(*inverse, c, j) = AT(*inverse, best, j), AT(*inverse, best, j) = t;
            }
        }
        double p = AT(w, c, c);
        det *= p;
        for (int j = 0; j < m.n; j++) AT(w, c, j) /= p, AT(*inverse, c, j) /= p;
        for (int r = 0; r < m.n; r++) {
            double k = AT(w, r, c);
            if (r == c || k == 0) continue;
            for (int j = 0; j < m.n; j++) AT(w, r, j) -= k * AT(w, c, j), AT(*inverse, r, j) -= k * AT(*inverse, c, j);
        }
    }
    free(w.a);
    return det;
}
static void print(const char *name, matrix m) {
    printf("%s\n", name);
    for (int i = 0; i < m.n; i++) {
        for (int j = 0; j < m.n; j++) printf("%12.6f", AT(m, i, j));
        printf("\n");
    }
}

static long fib(int n) {
    long r[2][2] = {{1, 0}, {0, 1}}, b[2][2] = {{1, 1}, {1, 0}}, t[2][2];
    for (; n; n >>= 1) {
        if (n & 1) {
            for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) t[i][j] = r[i][0] * b[0][j] + r[i][1] * b[1][j];
            for (int i = 0; i < 4; i++) r[i / 2][i % 2] = t[i / 2][i % 2];
        }
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) t[i][j] = b[i][0] * b[0][j] + b[i][1] * b[1][j];
        for (int i = 0; i < 4; i++) b[i / 2][i % 2] = t[i / 2][i % 2];
    }
    return r[0][1];
}

int main(void) {
    for (int n = 1; n <= 5; n++) {
        matrix m = new(n), inverse;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) AT(m, i, j) = (i * 7 + j * 13) % 11 - (i == j) * 4.5;
        double det = gauss(m, &inverse);
        printf("det %.9g\n", det);
        if (det != 0) print("inverse", inverse), print("identity", mul(m, inverse));
    }
    for (int i = 0; i <= 90; i += 15) printf("%ld ", fib(i));
    printf("\n");
    return 0;
}
