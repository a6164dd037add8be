// A checksum over two bytes: every bit matters, and no branch depends on them.
// args: str:=2
// paths: 2
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned char crc = 0;
    for (int i = 0; i < 2; i++) {
        crc ^= (unsigned char)argv[1][i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (-(crc >> 7) & 0x07);
    }
    if (crc == 0x5a)
        puts("match");
    else
        puts("no match");
    return argc - 2;
}
