#include <stdlib.h>

int sum(int n) {
    int *all = malloc(((size_t)n + 1) * sizeof *all), total = 0;
    for (int i = 0; i <= n; i++) all[i] = i == 5 ? 4 : i;
    for (int i = 0; i <= n; i++) total += all[i];
    free(all);
    return total;
}
