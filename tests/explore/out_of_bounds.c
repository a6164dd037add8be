// An index within the array, or not.
// args: int:-3..9
// paths: 2
// fault: out of bounds read at line 11
// native: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int values[5] = {1, 2, 3, 4, 5};
    printf("%d\n", values[atoi(argv[1])]);
    return argc - 2;
}
