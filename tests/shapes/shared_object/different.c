#include <stdlib.h>

struct both {
    int *left, *right;
};

struct both *both(int value) {
    struct both *b = malloc(sizeof *b);
    b->left = malloc(sizeof *b->left);
    *b->left = value;
    b->right = malloc(sizeof *b->right);
    *b->right = value;
    return b;
}
