// The guard leaves nothing to fail.
// args: int int:-10..10
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long a = atol(argv[1]), b = atol(argv[2]);
    if (b == 0) {
        puts("no");
        return 1;
    }
    if (a % b != 0)
        puts("rest");
    else if (a / b < 0)
        puts("negative");
    else
        puts("exact");
    return argc - 3;
}
