#include <stdlib.h>

struct vector {
    int *data;
    int count, capacity;
};

struct vector *append(int capacity, int values) {
    struct vector *v = calloc(1, sizeof *v);
    while (capacity < values) capacity += capacity;
    v->capacity = capacity;
    v->data = malloc((size_t)capacity * sizeof *v->data);
    while (v->count < values) {
        v->data[v->count] = v->count * 10;
        v->count++;
    }
    return v;
}
