// Moves files out of and into its directory.
// control
#include "attack.h"
int main(int argc, char **argv) {
    close(creat("mine", 0644));
    mkdir("below", 0755);
    ATTACK(rename(in(OUTSIDE, "victim"), "stolen"));
    ATTACK(rename("mine", in(OUTSIDE, "victim2")));
    ATTACK(rename("below", in(OUTSIDE, "below")));
    ATTACK(renameat2(AT_FDCWD, "mine", AT_FDCWD, in(OUTSIDE, "victim2"), 2 /* exchange */));
    ATTACK(rename(in(OUTSIDE, "victim"), in(OUTSIDE, "renamed")));
    ATTACK(rename(in(OUTSIDE, "directory"), "directory"));
    return 0;
}
