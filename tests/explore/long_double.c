// Terms do not follow numbers of 80 bits.
// args: int:0..3
// paths: 4
// gap: pinned at line 10
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    long double x = n;
    if (x * 2 > 3)
        puts("more");
    else
        puts("less");
    return argc - 2;
}
