// A number and a letter out of a string.
// args: text:3
// paths: 42
#include <stdio.h>

int main(int argc, char **argv) {
    int number;
    char letter;
    int got = sscanf(argv[1], "%d%c", &number, &letter);
    if (got == 2 && number == 7 && letter == 'x')
        puts("7x");
    else
        printf("%d\n", got);
    return argc - 2;
}
