#include <stdlib.h>

int **table(int n) {
    int **rows = calloc((size_t)n, sizeof *rows);
    for (int i = n - 1; i >= 0; i--) {
        int *row = calloc((size_t)n, sizeof *row);
        for (int k = 0, product = 0; k < n; k++) row[k] = product += i + 1;
        rows[i] = row;
    }
    return rows;
}
