// Integers become floats and back.
// args: int:-1000..1000
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double half = n / 2.0;
    if (half > 100.25)
        puts("large");
    else if (half == (int)half)
        puts("even");
    else if ((float)half < -0.25f)
        puts("negative");
    else
        puts("odd");
    return argc - 2;
}
