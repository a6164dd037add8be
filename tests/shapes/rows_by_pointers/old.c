// entry: table
// flags: --param n=int:1..3
#include <stdlib.h>

int **table(int n) {
    int **rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)n * sizeof **rows);
        for (int k = 0; k < n; k++) rows[i][k] = (i + 1) * (k + 1);
    }
    return rows;
}
