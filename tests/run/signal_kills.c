// A raised signal that nobody catches ends the program; what stdout holds is lost.
// exit: 143
#include <signal.h>
#include <stdio.h>

int main(void) {
    printf("flushed\n");
    fflush(stdout);
    printf("lost\n");
    raise(SIGTERM);
    printf("never\n");
    return 0;
}
