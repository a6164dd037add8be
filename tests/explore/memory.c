// memcpy, memmove, memset and memcmp carry the input along: the first difference decides, at
// one of three places, or there is none.
// args: str:=3
// paths: 4
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char buffer[8];
    memset(buffer, argv[1][0], sizeof buffer);
    memcpy(buffer + 1, argv[1], 3);
    memmove(buffer, buffer + 1, 4);
    if (memcmp(buffer, "key", 3) == 0)
        puts("key");
    else
        puts("other");
    return argc - 2;
}
