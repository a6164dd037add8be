// Writes to the terminal of the user, and types there.
#include "attack.h"
#include <sys/ioctl.h>
int main(void) {
    ATTACK(open("/dev/tty", O_RDWR));
    ATTACK(open("/dev/console", O_WRONLY));
    ATTACK(open("/dev/ptmx", O_RDWR));
    ATTACK_FOR(opendir("/dev/pts"));
    ATTACK_FOR(opendir("/dev"));
    for (int fd = 0; fd < 3; fd++) ATTACK(ioctl(fd, TIOCSTI, "x"));
    for (int fd = 3; fd < 256; fd++) tell(fcntl(fd, F_GETFD) >= 0, "an open descriptor");
    return 0;
}
