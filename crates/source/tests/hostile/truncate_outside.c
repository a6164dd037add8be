// Cuts files of others short, by name and by opening them.
// control
#include "attack.h"
int main(int argc, char **argv) {
    ATTACK(truncate(in(OUTSIDE, "victim"), 0));
    ATTACK(open(in(OUTSIDE, "victim"), O_RDONLY | O_TRUNC));
    ATTACK(open(in(OUTSIDE, "victim2"), O_WRONLY | O_TRUNC));
    int tried = open("/etc/hosts", O_RDONLY | O_TRUNC | O_NOFOLLOW | O_DIRECTORY);
    tell(tried >= 0, "open(hosts)");
    return 0;
}
