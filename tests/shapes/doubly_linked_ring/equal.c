#include <stdlib.h>

struct link {
    struct link *prev, *next;
    short value;
};

struct link *ring(short n) {
    struct link *all[3];
    for (short i = n; i-- > 0;) {
        all[i] = calloc(1, sizeof *all[i]);
        all[i]->value = i;
    }
    for (short i = 0; i < n; i++) {
        all[i]->next = all[(i + 1) % n];
        all[(i + 1) % n]->prev = all[i];
    }
    return all[0];
}
