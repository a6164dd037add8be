// not known: a signal ends it
#include <unistd.h>

int main(void) {
    alarm(1);
    for (;;)
        ;
}
