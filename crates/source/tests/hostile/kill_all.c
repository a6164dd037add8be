// Kills every process that it may kill.
#include "attack.h"
int main(void) {
    ATTACK(kill(-1, SIGKILL));
    ATTACK(kill(-1, SIGSTOP));
    ATTACK(kill(getppid(), SIGKILL));
    return 0;
}
