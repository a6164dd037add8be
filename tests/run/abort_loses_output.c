// abort: what stdout still holds is lost, what was flushed or unbuffered is not.
// exit: 134
// faults: abort
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) { printf("atexit\n"); }

int main(void) {
    atexit(never);
    printf("flushed\n");
    fflush(stdout);
    write(1, "direct\n", 7);
    printf("lost\n");
    abort();
}
