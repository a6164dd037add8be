#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *before(struct node *next, int value) {
    struct node *one = calloc(1, sizeof *one);
    if (one) {
        one->next = next;
        one->value = value;
    }
    return one;
}

int push(struct node **head, int value) {
    struct node *one = before(*head, value);
    if (one) *head = one;
    return one ? 0 : -1;
}
