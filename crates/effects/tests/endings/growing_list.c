// not known: memory grows
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    for (;;) {
        struct node *more = malloc(sizeof *more);
        more->next = list;
        list = more;
    }
}
