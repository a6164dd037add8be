#include <stdlib.h>
#include <string.h>

struct mixed {
    char kind;
    int value;
};

struct mixed *make(char kind, int value) {
    struct mixed *m = malloc(sizeof *m);
    memset(m, 0x5a, sizeof *m);
    m->value = value;
    m->kind = kind;
    return m;
}
