// How much was printed depends on the number.
// args: int:-200..200
// paths: 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int length = printf("%d\n", atoi(argv[1]));
    if (length == 5)
        puts("a sign and three digits");
    return argc - 2;
}
