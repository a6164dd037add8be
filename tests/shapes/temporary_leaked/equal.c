#include <stdlib.h>

int sum(int n) {
    int *all = calloc((size_t)n + 2, sizeof *all);
    for (int i = 0; i <= n; i++) all[i + 1] = all[i] + i;
    return all[n + 1];
}
