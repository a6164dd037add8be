// Raises its own limits and takes privileges.
#include "attack.h"
#include <sched.h>
int main(void) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    ATTACK(setrlimit(RLIMIT_AS, &none));
    ATTACK(setrlimit(RLIMIT_FSIZE, &none));
    ATTACK(setrlimit(RLIMIT_CPU, &none));
    ATTACK(setrlimit(RLIMIT_CORE, &none));
    struct sched_param first = {1};
    ATTACK(sched_setscheduler(0, SCHED_FIFO, &first));
    errno = 0;
    ATTACK(nice(-5) == -1 ? -1 : 0);
    if (getuid() != 1) ATTACK(setuid(1));
    ATTACK(syscall(SYS_setgroups, 0, 0));
    ATTACK(mknod("device", S_IFBLK | 0600, 0x0801));
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long held;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "CapPrm: %lx", &held) == 1) tell((held & ~6UL) != 0, "capabilities");
    return 0;
}
