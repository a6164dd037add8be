// A string that is too long for its buffer: three bytes and four fail alike, before it is known
// that there is a fourth. One byte or two are an r first or not.
// args: str:4
// paths: 6
// fault: out of bounds write at line 13
// native: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    struct { char name[3]; } user;
    (void)argc;
    strcpy(user.name, argv[1]);
    puts(user.name[0] == 'r' ? "r" : "other");
    return 0;
}
