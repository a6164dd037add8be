// faults: which is not the start of a heap block
// exit: 134
#include <stdlib.h>

int main(void) {
    int local = 1;
    int *volatile p = &local;
    free(p);
    return 0;
}
