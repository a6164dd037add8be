// Inline assembly: searching, counting, testing and swapping bits.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {
    0, 1, 2, 0x80, 0x8000, 0xff00, 0x80000000, 0x100000000, 0xdeadbeefcafef00d, 1ull << 63, ~0ull,
};
enum { COUNT = sizeof values / sizeof *values };

static int highest(uint64_t x) {
    uint64_t found;
    unsigned char none;
    __asm__("bsrq %2, %0" : "=r"(found), "=@ccz"(none) : "rm"(x), "0"(99ull));
    return none ? -1 : (int)found;
}

static int lowest(uint32_t x) {
    int found = -1;
    __asm__("bsfl %1, %0; cmovzl %2, %0" : "=&r"(found) : "r"(x), "rm"(-1), "0"(7));
    return found;
}

static void counts(uint64_t x) {
    uint64_t ones, leading, trailing;
    uint32_t leading32, trailing32;
    uint16_t ones16;
    unsigned char c1, z1, c2, z2, z3;
    __asm__("popcntq %2, %0" : "=r"(ones), "=@ccz"(z3) : "r"(x));
    __asm__("lzcntq %3, %0" : "=r"(leading), "=@ccc"(c1), "=@ccz"(z1) : "r"(x));
    __asm__("tzcnt %3, %0" : "=r"(trailing), "=@ccc"(c2), "=@ccz"(z2) : "r"(x));
    __asm__("lzcntl %1, %0" : "=r"(leading32) : "r"((uint32_t)x));
    __asm__("rep; bsfl %1, %0" : "=r"(trailing32) : "m"(x));
    __asm__("popcnt %w1, %0" : "=r"(ones16) : "r"(x));
    printf("%d %d %d %d %d %d  %d%d%d%d%d\n", (int)ones, (int)leading, (int)trailing,
           (int)leading32, (int)trailing32, ones16, c1, z1, c2, z2, z3);
}

static int log_by_loop(uint64_t x) {
    int sum = 0;
    while (x) {
        uint64_t top;
        __asm__("bsrq %1, %0\n\tbtrq %0, %1" : "=&r"(top), "+r"(x) : : "cc");
        sum = sum * 3 + (int)top;
    }
    return sum;
}

static void tests(uint64_t x, int index) {
    unsigned char bit;
    uint64_t set = x, reset = x, flipped = x;
    __asm__("btq %2, %1; setc %0" : "=q"(bit) : "r"(x), "Jr"((uint64_t)index) : "cc");
    __asm__("btsq %1, %0" : "+r"(set) : "r"((uint64_t)index));
    __asm__("btrq $5, %0" : "+r"(reset));
    __asm__("btc %1, %0" : "+r"(flipped) : "r"((uint64_t)index));
    printf("%d %llx %llx %llx\n", bit, (unsigned long long)set, (unsigned long long)reset,
           (unsigned long long)flipped);
}

static void string_of_bits(void) {
    uint32_t map[8] = {0};
    for (long i = -64; i < 64; i += 7) __asm__("btsq %1, %0" : "+m"(map[4]) : "r"(i));
    __asm__("btcl $31, %0" : "+m"(map[0]));
    for (int i = 0; i < 8; i++) printf("%08x ", map[i]);
    printf("\n");
}

static void swaps(uint64_t x) {
    uint64_t a = x;
    uint32_t b = (uint32_t)x;
    uint16_t c = (uint16_t)x;
    __asm__("bswap %0" : "+r"(a));
    __asm__("bswapl %0" : "+r"(b));
    __asm__("rorw $8, %0" : "+r"(c));
    uint32_t d = (uint32_t)x;
    __asm__("xchgb %b0, %h0\n\troll $16, %0\n\txchgb %b0, %h0" : "+Q"(d));
    printf("%llx %x %x %x\n", (unsigned long long)a, b, c, d);
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        uint64_t x = values[i];
        printf("%d %d %d\n", highest(x), lowest((uint32_t)x), log_by_loop(x));
        counts(x);
        for (int j = 0; j < 64; j += 9) tests(x, j);
        swaps(x);
    }
    string_of_bits();
    return 0;
}
