// Looks at processes outside.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK_FOR(opendir("/proc"));
    const char *files[] = {"cmdline", "environ", "maps", "status", "stat", "comm", "net/tcp"};
    char name[64];
    for (int n = 0; n < 7; n++) {
        sprintf(name, "/proc/%d/%s", BYSTANDER, files[n]);
        ATTACK(open(name, O_RDONLY));
        sprintf(name, "/proc/%d/%s", getppid(), files[n]);
        ATTACK(open(name, O_RDONLY));
    }
    char to[256];
    sprintf(name, "/proc/%d/exe", BYSTANDER);
    ATTACK(readlink(name, to, sizeof to));
    sprintf(name, "/proc/%d/cwd", getppid());
    ATTACK(readlink(name, to, sizeof to));
    sprintf(name, "/proc/%d/fd", getppid());
    ATTACK_FOR(opendir(name));
    return 0;
}
