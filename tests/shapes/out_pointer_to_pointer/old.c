// entry: push
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int push(struct node **head, int value) {
    struct node *one = malloc(sizeof *one);
    if (!one) return -1;
    one->value = value;
    one->next = *head;
    *head = one;
    return 0;
}
