#include <stdlib.h>

struct vector {
    int *data;
    int count, capacity;
};

int push(struct vector *v, int value) {
    if (v->count == v->capacity) {
        int capacity = v->capacity ? v->capacity * 2 : 8;
        int *data = realloc(v->data, capacity * sizeof *data);
        if (!data) {
            return -1;
        }
        v->data = data;
        v->capacity = capacity;
    }
    v->data[v->count++] = value;
    return 0;
}
