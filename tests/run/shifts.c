// Shifts at the edges, rotates, masks, and bit tricks in all widths.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotl32(uint32_t x, unsigned n) { return (x << (n & 31)) | (x >> (-n & 31)); }
static uint64_t rotr64(uint64_t x, unsigned n) { return (x >> (n & 63)) | (x << (-n & 63)); }
static uint8_t rotl8(uint8_t x, unsigned n) { return (uint8_t)((x << (n & 7)) | (x >> (-n & 7))); }
static uint16_t swap16(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }

static uint32_t reverse(uint32_t x) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, x >>= 1) r = r << 1 | (x & 1);
    return r;
}

int main(void) {
    for (unsigned n = 0; n <= 64; n += 7) {
        printf("%08x %016llx %02x\n", rotl32(0x80000001u, n), (unsigned long long)rotr64(0x8000000000000003ull, n),
               rotl8(0x91, n));
    }
    for (int s = 0; s < 32; s++) {
        volatile int negative = -0x12345678, positive = 0x12345678;
        printf("%d %d %u %u\n", negative >> s, positive >> s, (unsigned)negative >> s, (unsigned)positive << s);
    }
    for (int s = 0; s < 64; s += 9) {
        volatile int64_t x = INT64_MIN;
        printf("%lld %llu %lld\n", (long long)(x >> s), (unsigned long long)((uint64_t)x >> s),
               (long long)((uint64_t)-1 << s));
    }
    printf("%x %x %08x\n", swap16(0x1234), swap16(0x00ff), reverse(0x12345678));
    unsigned char narrow = 0x80;
    printf("%d %d %d\n", narrow << 1, (unsigned char)(narrow << 1), narrow >> 7);
    signed char sc = -128;
    printf("%d %d\n", sc >> 1, sc >> 7);
    for (unsigned i = 1; i; i <<= 3) printf("%u%s", i & -i, i << 3 ? " " : "\n");
    uint64_t x = 0x0123456789abcdefull;
    int bits = 0;
    for (uint64_t y = x; y; y &= y - 1) bits++;
    printf("%d %llx\n", bits, (unsigned long long)(x ^ (x >> 1)));
    int amount = 33;
    long wide = 1;
    wide <<= amount;
    printf("%ld\n", wide);
    return 0;
}
