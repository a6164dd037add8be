// Leaves its directory through symbolic links of its own.
// control
#include "attack.h"
int main(int argc, char **argv) {
    symlink(in(OUTSIDE, "victim"), "file");
    symlink(OUTSIDE, "place");
    symlink("..", "up");
    ATTACK(open("file", O_WRONLY | O_TRUNC));
    ATTACK(open("file", O_RDONLY));
    ATTACK(open("place/new", O_CREAT | O_WRONLY, 0644));
    ATTACK(unlink("place/victim2"));
    ATTACK(chmod("place/directory", 0));
    ATTACK(chmod("file", 0600));
    ATTACK(truncate("file", 0));
    ATTACK(mkdir("up/new", 0755));
    ATTACK_FOR(opendir("up/.."));
    return 0;
}
