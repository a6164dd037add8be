// Conditional expressions are branches, except that clang selects among constants and takes the
// last part of a conjunction as a value.
// args: int:-100..100
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int grade = n < -50 ? 0 : n < 0 ? 1 : n < 10 ? 2 : n == 10 ? 3 : 4;
    int fine = n >= 10 && n != 99;
    printf("%d %d\n", grade, fine);
    return argc - 2;
}
