// Many processes that each stay below the limit of one.
// ends: memory limit
#include "attack.h"
int main(void) {
    for (int n = 0; n < 16; n++)
        if (fork() == 0) {
            memset(malloc(32 << 20), 1, 32 << 20);
            for (;;) pause();
        }
    for (;;) pause();
}
