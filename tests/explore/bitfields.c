// Fields of a few bits, of either sign.
// args: int:0..255
// paths: 4
#include <stdio.h>
#include <stdlib.h>

struct flags {
    unsigned ready : 1;
    signed level : 3;
    unsigned kind : 4;
};

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    struct flags flags;
    flags.ready = n;
    flags.level = n >> 1;
    flags.kind = n >> 4;
    if (flags.level < 0)
        puts("negative");
    else if (flags.kind == 9)
        puts("nine");
    else if (flags.ready)
        puts("ready");
    else
        puts("idle");
    return argc - 2;
}
