// Program Bin of Santelices et al., "Change-Effects Analysis for Evolving Software", Fig. 1.
// args: int:1..10 int:1..10
// paths: 4
#include <stdio.h>
#include <stdlib.h>

static int bin(int a, int b) {
    if (a <= 2)
        b = b + 1;
    else
        b = b - 1;
    if (b > 2)
        return 1;
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    printf("%d\n", bin(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
