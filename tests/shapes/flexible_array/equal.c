#include <stdlib.h>

struct vector {
    int n;
    int v[];
};

struct vector *vector(int n, int first) {
    int *raw = calloc((size_t)n + 1, sizeof(int));
    struct vector *all = (struct vector *)raw;
    int i = n;
    while (i > 0) {
        i--;
        all->v[i] = (first & ~i) | (~first & i);
    }
    all->n = n;
    return all;
}
