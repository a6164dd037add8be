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

struct heads fork_list(int n) {
    struct node *tail = NULL, *copy = NULL;
    for (int i = n; i > 0; i--) {
        copy = i == n ? cons(i, NULL) : cons(i, n == 3 ? copy : tail);
        tail = n == 3 ? cons(i, tail) : copy;
    }
    struct heads h;
    h.a = cons(10, tail);
    h.b = cons(20, copy);
    return h;
}
