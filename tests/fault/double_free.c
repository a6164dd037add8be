// faults: double free of a heap block of 10 bytes
// exit: 134
#include <stdlib.h>

static void release(void *p) { free(p); }

int main(void) {
    void *p = malloc(10);
    release(p);
    release(p);
    return 0;
}
