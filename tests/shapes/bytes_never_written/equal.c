#include <stdlib.h>
#include <string.h>

struct buffer {
    int used;
    unsigned char data[12];
};

struct buffer *buffer(unsigned char first) {
    char *scratch = malloc(sizeof(struct buffer));
    memset(scratch, 7, sizeof(struct buffer));
    free(scratch);
    struct buffer *b = malloc(sizeof *b);
    b->data[0] = first;
    b->used = 1;
    return b;
}
