// entry: fork_list
// flags: --param n=int:1..3
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct heads {
    struct node *a, *b;
};

static struct node *cons(int value, struct node *next) {
    struct node *one = malloc(sizeof *one);
    one->value = value;
    one->next = next;
    return one;
}

/* Two lists with one common tail. */
struct heads fork_list(int n) {
    struct node *tail = NULL;
    for (int i = n; i > 0; i--) tail = cons(i, tail);
    struct heads h;
    h.a = cons(10, tail);
    h.b = cons(20, tail);
    return h;
}
