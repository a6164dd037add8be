// The size of a block of memory is pinned, and so is nothing else.
// args: int:1..3
// paths: 3
// gap: pinned by malloc at line 9
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *block = malloc(atoi(argv[1]));
    block[0] = 'x';
    puts("done");
    free(block);
    return argc - 2;
}
