// entry: value
// flags: --param kind=int:0..3
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
    struct value *v = malloc(sizeof *v);
    v->tag = kind & 1;
    if (v->tag) {
        v->as.text = malloc(4);
        strcpy(v->as.text, kind == 3 ? "off" : "on");
    } else {
        v->as.number = kind;
    }
    return v;
}
