// A loop without an end on one of the ways.
// args: int
// steps: 100000
// paths: 2
// gap: exhausted steps
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (atoi(argv[1]) == 123)
        for (;;)
            argc++;
    puts("done");
    return 0;
}
