// faults: read of 4 bytes through a null pointer
// exit: 139
#include <stdio.h>

struct node { int value; struct node *next; };

static int last(struct node *n) {
    while (n->next) n = n->next;
    return n->next->value;
}

int main(void) {
    struct node b = {2, NULL}, a = {1, &b};
    printf("lost, because it stays in the buffer\n");
    printf("%d\n", last(&a));
    return 0;
}
