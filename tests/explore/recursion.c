// Calls of fib depend on n alone: 0 and 1 are one path, 2 to 6 one each.
// args: int:0..6
// paths: 6
#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
    printf("%d\n", fib(atoi(argv[1])));
    return argc - 2;
}
