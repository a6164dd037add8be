// Writes at any index: whether the second hits the first, and where.
// args: int:0..3 int:0..3
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    short cells[4] = {0};
    int i = atoi(argv[1]), j = atoi(argv[2]);
    cells[i] = 1;
    cells[j] += 2;
    if (cells[2] == 3)
        puts("both at two");
    else if (cells[2] == 1)
        puts("the first at two");
    else if (cells[2] == 2)
        puts("the second at two");
    else
        puts("none at two");
    return argc - 3;
}
