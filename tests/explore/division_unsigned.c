// Unsigned division cannot overflow.
// args: int:0..1000 int:0..1000
// paths: 3
// fault: division by zero at line 10
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned a = atoi(argv[1]), b = atoi(argv[2]);
    if (a % b == 7)
        puts("seven");
    else
        puts("other");
    return argc - 3;
}
