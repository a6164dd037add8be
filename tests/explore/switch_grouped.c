// Values with the same target are one path.
// args: int
// paths: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    switch (atoi(argv[1])) {
    case 1:
    case 2:
    case 3:
    case 7:
        puts("few");
        break;
    case -1:
        puts("minus one");
        break;
    case 1000:
    case -2147483647 - 1:
        puts("extreme");
        break;
    default:
        puts("other");
    }
    return argc - 2;
}
