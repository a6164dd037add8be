// Connects to a server on this machine, and listens itself.
// control
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    ATTACK(s);
    ATTACK(connect(s, (struct sockaddr *)&to, sizeof to));
    ATTACK(send(s, "out", 3, MSG_NOSIGNAL));
    ATTACK(socket(AF_INET6, SOCK_STREAM, 0));
    ATTACK(socket(AF_NETLINK, SOCK_RAW, 0));
    ATTACK(listen(s, 1));
    return 0;
}
