// entry: upto
// flags: --param n=int:0..4
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *upto(int n) {
    struct node *first = NULL, **end = &first;
    for (int i = 1; i <= n; i++) {
        *end = malloc(sizeof **end);
        (*end)->value = i;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return first;
}
