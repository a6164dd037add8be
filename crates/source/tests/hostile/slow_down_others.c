// Changes priorities, processors and limits of processes outside, and its own upwards.
// control
#include "attack.h"
#include <sched.h>
int main(int argc, char **argv) {
    ATTACK(setpriority(PRIO_PROCESS, BYSTANDER, 19));
    ATTACK(setpriority(PRIO_USER, getuid(), getpriority(PRIO_PROCESS, 0)));
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    ATTACK(sched_setaffinity(BYSTANDER, sizeof all, &all));
    struct sched_param idle = {0};
    ATTACK(sched_setscheduler(BYSTANDER, SCHED_IDLE, &idle));
    struct rlimit limit = {16, 16};
    ATTACK(prlimit(BYSTANDER, RLIMIT_NOFILE, &limit, 0));
    ATTACK(syscall(SYS_ioprio_set, 1, BYSTANDER, 3 << 13));
    return 0;
}
