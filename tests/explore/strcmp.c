// The first difference decides: at one of three places, where the end is a character as others
// are, or nowhere.
// args: str:3
// paths: 4
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (strcmp(argv[1], "ab") == 0)
        puts("yes");
    else
        puts("no");
    return argc - 2;
}
