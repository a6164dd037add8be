// Every number up to 8 has its own way to 1: the parities of the sequence tell it.
// args: int:1..8
// paths: 8
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned long n = strtoul(argv[1], NULL, 10);
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    printf("%d\n", steps);
    return argc - 2;
}
