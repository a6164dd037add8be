// faults: read of 8 bytes at offset 8 of a freed heap block of 16 bytes
// exit: 139
// native: undefined
#include <stdlib.h>

struct node { long value; struct node *next; };

int main(void) {
    struct node *list = NULL;
    for (long i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i, n->next = list, list = n;
    }
    for (struct node *n = list; n; n = n->next) free(n);
    return 0;
}
