// Sets the clock.
#include "attack.h"
#include <sys/timex.h>
int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    ATTACK(clock_settime(CLOCK_REALTIME, &now));
    struct timeval time;
    gettimeofday(&time, 0);
    ATTACK(settimeofday(&time, 0));
    struct timex adjustment = {0};
    ATTACK(adjtimex(&adjustment));
    return 0;
}
