// The running example of Boehme's thesis, Fig. 2.1: of four paths, one is infeasible, because
// the second condition fails where the first does.
// args: int int
// paths: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]);
    int j = atoi(argv[2]);
    int b = 0;
    int o = 0;
    if (a > 0) {
        b = j;
        o = 1;
    }
    if (b > 0)
        o = o + 1;
    printf("%d\n", o);
    return argc - 3;
}
