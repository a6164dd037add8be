// _Exit and quick_exit: no atexit handlers, buffered output is lost unless flushed.
// exit: 7
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) { write(1, "atexit\n", 7); }
static void quick(void) { write(1, "quick\n", 6); }

int main(int argc, char **argv) {
    atexit(handler);
    at_quick_exit(quick);
    printf("flushed\n");
    fflush(stdout);
    printf("lost\n");
    if (argc > 1) _exit(3);
    quick_exit(7);
}
