// entry: release
#include <stdlib.h>

struct box {
    int users;
    int content;
};

int release(struct box *b) {
    if (b->users > 1) {
        b->users--;
        return 0;
    }
    free(b);
    return 1;
}
