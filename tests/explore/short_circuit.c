// Of `a && b || c` five ways.
// args: int int int
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    if ((a > 0 && b > a) || c == 77)
        puts("yes");
    else
        puts("no");
    return argc - 4;
}
