#include <stdlib.h>
#include <string.h>

struct entry {
    unsigned used : 1;
    signed delta : 7;
    unsigned char mark;
};

struct entry *entry(signed char delta) {
    struct entry *e = malloc(sizeof *e);
    memset(e, 0xff, sizeof *e);
    e->mark = 'd' + 1;
    if (!delta) e->used = 0;
    e->delta = delta < 0 ? -(-delta / 2) : delta / 2;
    return e;
}
