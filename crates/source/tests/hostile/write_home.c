// Writes into a directory of the user: new files of all kinds, and files that exist.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(open(in(OUTSIDE, "new"), O_CREAT | O_WRONLY, 0644));
    ATTACK(creat(in(OUTSIDE, "new2"), 0644));
    ATTACK(open(in(OUTSIDE, "victim"), O_WRONLY));
    ATTACK(open(in(OUTSIDE, "victim"), O_RDWR | O_APPEND));
    ATTACK(mkdir(in(OUTSIDE, "directory2"), 0755));
    ATTACK(symlink("/etc", in(OUTSIDE, "link")));
    ATTACK(mkfifo(in(OUTSIDE, "fifo"), 0644));
    ATTACK_FOR(fopen(in(OUTSIDE, "new3"), "w"));
    ATTACK_FOR(fopen(in(OUTSIDE, "victim"), "r+"));
    return 0;
}
