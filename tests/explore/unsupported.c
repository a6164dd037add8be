// A function that is not modelled ends its path; the other paths are found.
// args: int
// paths: 3
// gap: unsupported dlopen
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    if (n == 5)
        dlopen("libm.so.6", RTLD_NOW);
    if (n > 0)
        puts("positive");
    else
        puts("other");
    return argc - 2;
}
