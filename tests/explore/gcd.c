// Euclid's algorithm on numbers up to 8 takes one to five divisions.
// args: int:1..8 int:1..8
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    printf("%d\n", a);
    return argc - 3;
}
