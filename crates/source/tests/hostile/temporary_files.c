// Leaves files in places where everybody may write.
// control
#include "attack.h"
int main(void) {
    char name[] = "/tmp/hostileXXXXXX", other[] = "/var/tmp/hostileXXXXXX", third[] = "/dev/shm/hostileXXXXXX";
    int file;
    ATTACK(file = mkstemp(name));
    if (file >= 0) unlink(name);
    ATTACK(file = mkstemp(other));
    if (file >= 0) unlink(other);
    ATTACK(file = mkstemp(third));
    if (file >= 0) unlink(third);
    return 0;
}
