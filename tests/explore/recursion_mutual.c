// Two functions that call each other until nothing is left.
// args: int:0..7
// paths: 8
#include <stdio.h>
#include <stdlib.h>

static int odd(unsigned n);

static int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
}

int main(int argc, char **argv) {
    puts(even(atoi(argv[1])) ? "even" : "odd");
    return argc - 2;
}
