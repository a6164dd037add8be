// Brings files of others into its directory, and its own out of it.
// control
#include "attack.h"
int main(int argc, char **argv) {
    close(creat("mine", 0644));
    mkdir("below", 0755);
    ATTACK(link(in(OUTSIDE, "victim"), "stolen"));
    ATTACK(link(in(OUTSIDE, "victim2"), "below/stolen"));
    ATTACK(link("mine", in(OUTSIDE, "planted")));
    int victim = open(in(OUTSIDE, "victim"), O_PATH);
    char name[64];
    sprintf(name, "/proc/self/fd/%d", victim);
    ATTACK(linkat(AT_FDCWD, name, AT_FDCWD, "stolen2", AT_SYMLINK_FOLLOW));
    ATTACK(linkat(victim, "", AT_FDCWD, "stolen3", AT_EMPTY_PATH));
    return 0;
}
