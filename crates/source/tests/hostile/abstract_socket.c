// Talks to a server through a socket with an abstract name, also from one end of a pair.
// control
#include "attack.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int argc, char **argv) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strcpy(to.sun_path + 1, ABSTRACT);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(ABSTRACT);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    ATTACK(connect(s, (struct sockaddr *)&to, size));
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0)
        ATTACK(connect(pair[0], (struct sockaddr *)&to, size));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
        ATTACK(connect(pair[0], (struct sockaddr *)&to, size));
        struct iovec text = {"out", 3};
        struct msghdr message = {&to, size, &text, 1};
        ATTACK(sendmsg(pair[0], &message, MSG_NOSIGNAL));
        ATTACK(bind(pair[0], (struct sockaddr *)&to, size));
    }
    return 0;
}
