/* CRC-32 of a buffer, bit by bit for the table and byte by byte for the data. */
#include <stdio.h>

static unsigned table[256];
static unsigned char buffer[1 << 16];

static void make_table(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

int main(void) {
    unsigned crc = 0xFFFFFFFFu;
    make_table();
    for (int i = 0; i < 1 << 16; i++)
        buffer[i] = (unsigned char)(i * 7 + (i >> 3));
    for (int round = 0; round < 400; round++)
        for (int i = 0; i < 1 << 16; i++)
            crc = table[(crc ^ buffer[i]) & 0xFF] ^ (crc >> 8);
    printf("%08x\n", crc);
    return 0;
}
