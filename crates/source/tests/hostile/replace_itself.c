// Changes its own program, which lies in the user's cache and runs again.
#include "attack.h"
int main(void) {
    char name[4096] = {0};
    readlink("/proc/self/exe", name, sizeof name - 1);
    ATTACK(open(name, O_WRONLY));
    ATTACK(unlink(name));
    ATTACK(rename(name, "away"));
    ATTACK(truncate(name, 0));
    ATTACK(chmod(name, 0));
    ATTACK(open(in(name, "../.."), O_RDONLY | O_DIRECTORY));
    return 0;
}
