// So is the size of an array on the stack.
// args: int:1..3
// paths: 3
// gap: pinned at line 10
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int values[n];
    values[n - 1] = argc;
    printf("%d\n", values[n - 1]);
    return argc - 2;
}
