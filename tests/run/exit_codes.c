// exit status: truncated to a byte, handlers run, buffered output appears.
// exit: 44
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { printf("handler\n"); }
static void nested(void) { exit(300); }

int main(void) {
    atexit(handler);
    printf("unflushed");
    nested();
    printf("never\n");
    return 1;
}
