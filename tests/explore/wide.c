// Arithmetic in 64 and 128 bits.
// args: int:-9000000000..9000000000
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long long n = strtoll(argv[1], NULL, 10);
    __int128 square = (__int128)n * n;
    if (square > (__int128)80 * 1000000000 * 1000000000)
        puts("nearly the most");
    else if ((unsigned long long)(square >> 64) == 1)
        puts("more than 64 bits");
    else if (n / 3 == 1431655765)
        puts("third");
    else if (n < -4294967296LL)
        puts("low");
    else
        puts("other");
    return argc - 2;
}
