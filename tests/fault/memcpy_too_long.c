// faults: read of 20 bytes at offset 0, out of bounds of a heap block of 16 bytes
// exit: 139
// native: undefined
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *from = calloc(16, 1), to[32];
    memcpy(to, from, 20);
    return to[0];
}
