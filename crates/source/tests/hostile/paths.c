// Leaves its directory by other names of the same places.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(open(in("/proc/self/root", in(OUTSIDE, "victim")), O_RDONLY));
    ATTACK(open(in("/proc/self/cwd/../../../../..", in(OUTSIDE, "victim")), O_WRONLY));
    int root = open("/", O_PATH | O_DIRECTORY);
    ATTACK(openat(root, in(OUTSIDE, "victim") + 1, O_WRONLY));
    int victim = open(in(OUTSIDE, "victim"), O_PATH);
    char name[64];
    sprintf(name, "/proc/self/fd/%d", victim);
    ATTACK(open(name, O_RDWR));
    if (chdir(OUTSIDE) == 0) {
        ATTACK(open("victim", O_RDONLY));
        ATTACK(open("new", O_CREAT | O_WRONLY, 0644));
        ATTACK(chmod("victim", 0600));
        ATTACK(unlink("victim2"));
    }
    return 0;
}
