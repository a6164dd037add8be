#include <stdlib.h>

struct buffer {
    int used;
    unsigned char data[12];
};

struct buffer *buffer(unsigned char first) {
    struct buffer *b = malloc(sizeof *b);
    b->used = 1;
    b->data[0] = first > 250 ? 250 : first;
    return b;
}
