// Pointers into different objects, chosen by an index: one path for each object that is read.
// args: int:0..3
// paths: 4
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"north", "east", "south", "west"};

int main(int argc, char **argv) {
    const char *name = names[atoi(argv[1])];
    if (name[1] == 'o')
        puts("vertical");
    else
        puts("horizontal");
    return argc - 2;
}
