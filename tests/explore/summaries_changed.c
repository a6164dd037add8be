// The changed version of the same example: every change adds one.
// args: int:-5..5 int:-5..5
// paths: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]) + 1;
    int j = atoi(argv[2]);
    int b = 0;
    int o = 0;
    if (a > 0) {
        b = j + 1;
        o = 1;
    }
    if (b > 0)
        o = o + 1;
    printf("%d\n", o);
    return argc - 3;
}
