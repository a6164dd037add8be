// faults: buffer overflow found by the C library
// exit: 134
// cflags: -O1 -D_FORTIFY_SOURCE=2 -Wno-fortify-source
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char small[4];
    __builtin___strcpy_chk(small, argc > 0 ? "too long" : argv[0], 4);
    printf("%s\n", small);
    return 0;
}
