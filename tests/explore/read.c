// The system's own way to read.
// stdin: bytes:=4
// paths: 2
#include <stdio.h>
#include <unistd.h>

int main(void) {
    unsigned char magic[4];
    if (read(0, magic, 4) != 4)
        return 1;
    unsigned value = magic[0] | magic[1] << 8 | magic[2] << 16 | (unsigned)magic[3] << 24;
    if (value == 0xcafebabe)
        puts("class file");
    else
        puts("other");
    return 0;
}
