// faults: out of bounds of the local variable small of 4 bytes
// exit: 139
// native: undefined
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char small[4];
    strcpy(small, "too long");
    printf("%s %s\n", small, argv[argc - 1]);
    return 0;
}
