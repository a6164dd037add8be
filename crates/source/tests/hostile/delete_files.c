// Deletes files and directories elsewhere.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(unlink(in(OUTSIDE, "victim")));
    ATTACK(remove(in(OUTSIDE, "directory/inner")));
    ATTACK(rmdir(in(OUTSIDE, "directory")));
    int directory = open(OUTSIDE, O_PATH | O_DIRECTORY);
    ATTACK(unlinkat(directory, "victim2", 0));
    ATTACK(system(in("rm -rf ", OUTSIDE)) == 0 && access(OUTSIDE, F_OK) != 0 ? 0 : -1);
    return 0;
}
