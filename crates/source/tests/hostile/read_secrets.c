// Reads what is private: the user's files, passwords, names of files and processes.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(open(in(OUTSIDE, "victim"), O_RDONLY));
    ATTACK(open("/etc/shadow", O_RDONLY));
    ATTACK(open("/etc/ssl/private", O_RDONLY));
    ATTACK_FOR(opendir(OUTSIDE));
    ATTACK_FOR(opendir("/root"));
    ATTACK_FOR(opendir("/home"));
    ATTACK_FOR(opendir("/tmp"));
    ATTACK_FOR(opendir("/var"));
    ATTACK_FOR(opendir("/run"));
    ATTACK_FOR(opendir("/etc"));
    ATTACK_FOR(opendir("/"));
    ATTACK(open("/dev/kmsg", O_RDONLY));
    ATTACK(open("/dev/mem", O_RDONLY));
    ATTACK(open("/dev/vda", O_RDONLY));
    ATTACK(open("/dev/sda", O_RDONLY));
    ATTACK(open("/proc/kcore", O_RDONLY));
    ATTACK(open("/proc/kallsyms", O_RDONLY));
    ATTACK(open("/proc/net/tcp", O_RDONLY));
    pid_t child = fork();
    if (child == 0) {
        execl(in(OUTSIDE, "script"), "script", (char *)0);
        _exit(9);
    }
    int status;
    waitpid(child, &status, 0);
    tell(status == 0, "execl(script)");
    return 0;
}
