// Where the first comma is: at one of three places, or the string ends before it.
// args: text:3
// paths: 7
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *comma = strchr(argv[1], ',');
    if (comma)
        printf("%d\n", (int)(comma - argv[1]));
    else
        puts("none");
    return argc - 2;
}
