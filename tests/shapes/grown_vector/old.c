// entry: append
// flags: --param capacity=int:1..2 --param values=int:1..3
#include <stdlib.h>

struct vector {
    int *data;
    int count, capacity;
};

struct vector *append(int capacity, int values) {
    struct vector *v = malloc(sizeof *v);
    v->data = malloc((size_t)capacity * sizeof *v->data);
    v->count = 0;
    v->capacity = capacity;
    for (int i = 0; i < values; i++) {
        if (v->count == v->capacity) {
            v->capacity *= 2;
            v->data = realloc(v->data, (size_t)v->capacity * sizeof *v->data);
        }
        v->data[v->count++] = 10 * i;
    }
    return v;
}
