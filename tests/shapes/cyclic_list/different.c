#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *ring(int n) {
    struct node *first = malloc(sizeof *first), *last = first;
    first->value = 0;
    for (int i = 1; i < n; i++) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->value = i;
    }
    last->next = n == 3 ? first->next : first;
    return first;
}
