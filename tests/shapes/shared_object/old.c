// entry: both
// flags: --param value=int:0..5
#include <stdlib.h>

struct both {
    int *left, *right;
};

struct both *both(int value) {
    struct both *b = malloc(sizeof *b);
    b->left = malloc(sizeof *b->left);
    *b->left = value;
    b->right = b->left;
    return b;
}
