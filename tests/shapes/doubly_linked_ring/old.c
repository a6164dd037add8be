// entry: ring
// flags: --param n=int:1..3
#include <stdlib.h>

struct link {
    struct link *prev, *next;
    short value;
};

struct link *ring(short n) {
    struct link *head = malloc(sizeof *head);
    head->prev = head->next = head;
    head->value = 0;
    for (short i = 1; i < n; i++) {
        struct link *one = malloc(sizeof *one);
        one->value = i;
        one->prev = head->prev;
        one->next = head;
        head->prev->next = one;
        head->prev = one;
    }
    return head;
}
