// An argument declared as an integer is read as such.
// args: int
// paths: 3
#include <stdio.h>

int main(int argc, char **argv) {
    int number;
    if (sscanf(argv[1], "%d", &number) != 1)
        return 1;
    if (number > 100000)
        puts("large");
    else if (number == -12345)
        puts("that one");
    else
        puts("other");
    return argc - 2;
}
