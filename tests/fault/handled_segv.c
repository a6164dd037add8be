// A raised SIGSEGV with a handler is no fault.
// exit: 9
#include <signal.h>
#include <stdlib.h>

static void handler(int s) { exit(s - 2); }

int main(void) {
    signal(SIGSEGV, handler);
    raise(SIGSEGV);
    return 0;
}
