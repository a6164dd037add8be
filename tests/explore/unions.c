// The same bytes as other types.
// args: int
// paths: 5
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

union word {
    int32_t number;
    uint8_t bytes[4];
    uint16_t halves[2];
    float real;
};

int main(int argc, char **argv) {
    union word word;
    word.number = atoi(argv[1]);
    if (word.bytes[3] == 0x12 && word.halves[0] == 0xbeef)
        puts("found");
    else if (word.real > 1.5f && word.real < 1.75f)
        puts("about one and a half");
    else
        puts("other");
    return argc - 2;
}
