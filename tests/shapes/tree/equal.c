#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *between(int low, int high) {
    if (low >= high) return NULL;
    int middle = low + (high - low - 1) / 2;
    struct tree *right = between(middle + 1, high);
    struct tree *left = between(low, middle);
    struct tree *t = calloc(1, sizeof *t);
    *t = (struct tree){middle, left, right};
    return t;
}

struct tree *balanced(int from, int count) { return between(from, from + count); }
