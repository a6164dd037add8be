// faults: which is not the start of a heap block
// exit: 134
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(100);
    p += 8;
    free(p);
    return 0;
}
