// Talks to a server through a socket with a name, such as that of a container's daemon.
// control
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>
int main(int argc, char **argv) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strcpy(to.sun_path, in(OUTSIDE, "server"));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    ATTACK(s);
    ATTACK(connect(s, (struct sockaddr *)&to, sizeof to));
    ATTACK(write(s, "out", 3));
    return 0;
}
