#include <stdlib.h>
#include <string.h>

struct value {
    int tag;
    union {
        long number;
        char *text;
    } as;
};

struct value *value(int kind) {
    char *text = kind % 2 ? strdup(kind > 2 ? "off" : "on") : NULL;
    struct value *v = calloc(1, sizeof *v);
    if (text) {
        v->as.text = text;
        v->tag++;
    } else {
        v->as.number = kind;
    }
    return v;
}
