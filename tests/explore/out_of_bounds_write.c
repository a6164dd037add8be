// Off by one: the loop writes behind the end for one length.
// args: int:0..4
// paths: 5
// fault: out of bounds write at line 14
// native: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char buffer[4];
    int length = atoi(argv[1]), i;
    for (i = 0; i < length; i++)
        buffer[i] = 'x';
    buffer[i] = 0;
    puts(buffer);
    return argc - 2;
}
