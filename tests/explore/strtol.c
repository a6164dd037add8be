// Where a number in a string ends. Of two characters: nothing, a sign or blank alone, digits
// and what follows.
// args: text:2
// paths: 14
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end;
    long value = strtol(argv[1], &end, 10);
    if (end == argv[1])
        puts("none");
    else if (*end != 0)
        puts("more");
    else if (value == 42)
        puts("42");
    else
        puts("number");
    return argc - 2;
}
