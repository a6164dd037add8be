// What does not vary makes no paths.
// args: =-v =17 int:3..3
// paths: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int verbose = strcmp(argv[1], "-v") == 0;
    if (verbose && atoi(argv[2]) > 10)
        puts("verbose");
    if (argv[3][0] == '3')
        puts("three");
    return argc - 4;
}
