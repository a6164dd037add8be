#include <stdlib.h>

struct both {
    int *left, *right;
};

struct both *both(int value) {
    int *one = calloc(1, sizeof *one);
    struct both *b = malloc(sizeof *b);
    b->right = one;
    b->left = b->right;
    *one += value;
    return b;
}
