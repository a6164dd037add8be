#include <stdlib.h>

struct box {
    int users;
    int content;
};

static void dispose(struct box *b) { free(b); }

int release(struct box *b) {
    int last = b->users <= 1;
    if (last)
        dispose(b);
    else
        b->users -= 1;
    return last;
}
