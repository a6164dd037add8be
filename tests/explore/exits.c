// Ends of all kinds, and what runs at the end.
// args: int:0..4
// paths: 5
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void at_the_end(void) {
    printf("end of %s\n", n > 1 ? "many" : "few");
    fflush(stdout);
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    atexit(at_the_end);
    if (n == 0)
        exit(3);
    if (n == 1)
        _exit(4);
    if (n == 2)
        raise(SIGTERM);
    if (n == 3)
        return n + argc;
    return 0;
}
