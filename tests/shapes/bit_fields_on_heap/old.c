// entry: entry
#include <stdlib.h>

struct entry {
    unsigned used : 1;
    signed delta : 7;
    unsigned char mark;
};

struct entry *entry(signed char delta) {
    struct entry *e = malloc(sizeof *e);
    e->used = delta != 0;
    e->delta = delta / 2;
    e->mark = 'e';
    return e;
}
