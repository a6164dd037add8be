// faults: abort
// exit: 134
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fprintf(stderr, "giving up\n");
    abort();
}
