// Overflow that is asked for, and bits that are counted.
// args: int int
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), sum, product;
    if (__builtin_add_overflow(a, b, &sum)) {
        puts("sum");
        return 1;
    }
    if (__builtin_mul_overflow(a, b, &product)) {
        puts("product");
        return 2;
    }
    if (__builtin_popcount(sum) == 31)
        puts("31 bits");
    else
        puts("other");
    return argc - 3;
}
