#include <stdlib.h>

struct vector {
    int *data;
    int count, capacity;
};

static int grow(struct vector *v, int capacity) {
    int *data = realloc(v->data, sizeof(int) * (size_t)capacity);
    if (data == NULL) {
        return -1;
    }
    v->capacity = capacity;
    v->data = data;
    return 0;
}

int push(struct vector *v, int value) {
    if (v->count >= v->capacity && grow(v, v->capacity == 0 ? 4 : v->capacity + v->capacity) != 0) {
        return -1;
    }
    v->data[v->count] = value;
    v->count += 1;
    return 0;
}
