// entry: balanced
// flags: --param from=int:0..1 --param count=int:0..4
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *balanced(int from, int count) {
    if (count <= 0) return NULL;
    int left = (count - 1) / 2;
    struct tree *t = malloc(sizeof *t);
    t->left = balanced(from, left);
    t->key = from + left;
    t->right = balanced(from + left + 1, count - 1 - left);
    return t;
}
