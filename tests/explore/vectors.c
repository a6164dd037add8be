// Vectors of the compiler.
// args: int int
// paths: 3
#include <stdio.h>
#include <stdlib.h>

typedef int quad __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    quad x = {a, b, 3, 4}, y = {1, 2, a, b};
    quad sum = x + y, product = x * y;
    if (sum[0] == 100)
        puts("sum");
    else if (product[2] > product[3])
        puts("product");
    else
        puts("other");
    return argc - 3;
}
