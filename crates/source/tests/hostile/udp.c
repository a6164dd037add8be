// Sends a datagram.
// control
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    ATTACK(s);
    ATTACK(sendto(s, "out", 3, 0, (struct sockaddr *)&to, sizeof to));
    ATTACK(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    ATTACK(socket(AF_PACKET, SOCK_RAW, 0));
    return 0;
}
