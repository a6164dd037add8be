// Quotients are cut towards zero, and the smallest number has no opposite.
// args: int
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    if (abs(n) < 0)
        puts("smallest");
    else if (n % 7 == -3)
        puts("rest -3");
    else if (n / -5 == 12 && n >> 3 == -8)
        puts("about -60");
    else
        puts("other");
    return argc - 2;
}
