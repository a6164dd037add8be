#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *upto(int n) {
    struct node *first = NULL, **end = &first;
    for (int i = 1; i <= n; i++) {
        *end = malloc(sizeof **end);
        (*end)->value = i == 4 ? 0 : i;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return first;
}
