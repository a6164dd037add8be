// faults: write of 8 bytes through a null pointer
// exit: 139
#include <stdlib.h>

struct big { char padding[64]; double value; };

int main(void) {
    struct big *b = NULL;
    b->value = 1.5;
    return 0;
}
