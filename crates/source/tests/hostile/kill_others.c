// Sends signals to processes outside in all ways.
// control
#include "attack.h"
#ifndef F_SETSIG
#define F_SETSIG 10
#endif
int main(int argc, char **argv) {
    ATTACK(kill(BYSTANDER, 0));
    ATTACK(kill(getppid(), 0));
    ATTACK(kill(1, 0));
    ATTACK(kill(-BYSTANDER, SIGKILL));
    ATTACK(syscall(SYS_tkill, BYSTANDER, SIGKILL));
    ATTACK(syscall(SYS_tgkill, BYSTANDER, BYSTANDER, SIGKILL));
    union sigval value = {0};
    ATTACK(sigqueue(BYSTANDER, SIGTERM, value));
    int pidfd = syscall(SYS_pidfd_open, BYSTANDER, 0);
    ATTACK(pidfd);
    ATTACK(syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, 0, 0));
    int ends[2];
    pipe(ends);
    ATTACK(fcntl(ends[0], F_SETOWN, BYSTANDER));
    struct f_owner_ex owner = {F_OWNER_PID, BYSTANDER};
    ATTACK(fcntl(ends[0], F_SETOWN_EX, &owner));
    return 0;
}
