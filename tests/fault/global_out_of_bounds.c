// faults: read of 4 bytes at offset 48, out of bounds of the global variable days of 48 bytes
// exit: 139
// native: undefined
// args: 12
#include <stdio.h>
#include <stdlib.h>

static int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(int argc, char **argv) {
    int month = argc > 1 ? atoi(argv[1]) : 0;
    printf("%d\n", days[month]);
    return 0;
}
