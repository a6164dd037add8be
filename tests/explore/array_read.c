// A read at any index is a term: the comparison alone decides.
// args: int:0..7 int:0..7
// paths: 3
#include <stdio.h>
#include <stdlib.h>

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int main(int argc, char **argv) {
    int i = atoi(argv[1]), j = atoi(argv[2]);
    if (table[i] > table[j])
        puts("greater");
    else if (table[i] == table[j])
        puts("equal");
    else
        puts("less");
    return argc - 3;
}
