// Shifts by amounts of the input.
// args: int:0..31 int:0..15
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned amount = atoi(argv[1]), value = atoi(argv[2]);
    unsigned shifted = value << amount;
    if (shifted == 0xd0000000)
        puts("top");
    else if ((int)shifted >> 28 == -8)
        puts("smallest");
    else if (1u << amount > value)
        puts("less");
    else
        puts("other");
    return argc - 3;
}
