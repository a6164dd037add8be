// Leaves its session and its parent, and does its work when the run is over.
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(setsid());
    if (fork() == 0) {
        tell(setsid() >= 0, "setsid() of a child");
        tell(setpgid(0, 0) >= 0, "setpgid() of a child");
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        if (fork() == 0) {
            for (int fd = 0; fd < 3; fd++) close(fd);
            for (;;) usleep(1000);
        }
        _exit(0);
    }
    wait(0);
    ATTACK(syscall(SYS_clone, 0x8000 | SIGCHLD, 0, 0, 0, 0));
    return 0;
}
