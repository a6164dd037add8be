// Copying and joining: how long the first is, and whether the result is the word.
// args: str:2 choice:x,yz
// paths: 12
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char buffer[16];
    strcpy(buffer, argv[1]);
    strcat(buffer, "-");
    strncat(buffer, argv[2], 1);
    if (strstr(buffer, "a-y"))
        puts("found");
    else if (strlen(buffer) == 3 && strspn(buffer, "bc") == 1)
        puts("span");
    else
        puts("other");
    return argc - 3;
}
