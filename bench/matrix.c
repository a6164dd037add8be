/* Products of square matrices of doubles. */
#include <stdio.h>

#define SIZE 160

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 3 + j) % 17;
            b[i][j] = (i - j * 2) % 13;
        }
    double trace = 0;
    for (int round = 0; round < 6; round++) {
        multiply();
        for (int i = 0; i < SIZE; i++) {
            trace += c[i][i];
            a[i][round] = c[i][i] / 1000;
        }
    }
    printf("%.6f\n", trace);
    return 0;
}
