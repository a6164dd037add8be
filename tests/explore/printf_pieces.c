// Output that is made of the input makes no paths, except by the length of a string.
// args: str:2 int
// paths: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[2]);
    printf("%s|%5d|%-6x|%c|%+.3f|%o%%\n", argv[1], n, n, 'a' + (n & 7), n / 8.0, n);
    putchar('0' + (n & 1));
    puts("");
    return argc - 3;
}
