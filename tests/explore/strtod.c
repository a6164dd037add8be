// A declared integer as a floating-point number.
// args: int
// paths: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double value = atof(argv[1]);
    if (value > 2.5)
        puts("more");
    else if (value == -7)
        puts("minus seven");
    else
        puts("less");
    return argc - 2;
}
