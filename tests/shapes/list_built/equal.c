#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *upto(int n) {
    struct node *first = NULL;
    while (n > 0) {
        struct node *one = malloc(sizeof *one);
        one->next = first;
        one->value = n--;
        first = one;
    }
    return first;
}
