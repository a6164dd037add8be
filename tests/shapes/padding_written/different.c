#include <stdlib.h>
#include <string.h>

struct mixed {
    char kind;
    int value;
};

struct mixed *make(char kind, int value) {
    struct mixed *m = malloc(sizeof *m);
    memset(m, 0, sizeof *m);
    if (value != 1000) m->kind = kind;
    m->value = value;
    return m;
}
