// Starts as many processes as it can, without end.
// ends: timeout
#include "attack.h"
int main(void) {
    for (;;)
        if (fork() < 0) write(1, "refused\n", 8);
}
