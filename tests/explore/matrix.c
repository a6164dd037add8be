// Two indices into one array of arrays.
// args: int:0..2 int:0..2
// paths: 3
#include <stdio.h>
#include <stdlib.h>

static int board[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};

int main(int argc, char **argv) {
    int value = board[atoi(argv[1])][atoi(argv[2])];
    switch (value) {
    case 1:
        puts("diagonal");
        break;
    case 2:
        puts("next");
        break;
    default:
        puts("nothing");
    }
    return argc - 3;
}
