#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct heads {
    struct node *a, *b;
};

struct heads fork_list(int n) {
    struct heads h = {calloc(1, sizeof *h.a), calloc(1, sizeof *h.b)};
    h.b->value = 20;
    h.a->value = 10;
    struct node *last = h.a;
    for (int i = 1; i <= n; i++) {
        last->next = calloc(1, sizeof *last);
        last = last->next;
        last->value = i;
    }
    h.b->next = h.a->next;
    return h;
}
