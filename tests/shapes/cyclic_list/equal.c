#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *ring(int n) {
    struct node *first = malloc(sizeof *first);
    first->next = first;
    first->value = 0;
    while (--n > 0) {
        struct node *one = malloc(sizeof *one);
        one->value = n;
        one->next = first->next;
        first->next = one;
    }
    return first;
}
