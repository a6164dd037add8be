// MD5, CRC-32, CRC-16, Adler-32, FNV and SipHash of the same texts.
// cflags: -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void md5(const uint8_t *text, size_t n, uint8_t out[16]) {
    static const uint8_t shift[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t total = (n + 8) / 64 * 64 + 64;
    uint8_t buffer[512] = {0};
    memcpy(buffer, text, n);
    buffer[n] = 0x80;
    uint64_t bits = n * 8;
    memcpy(buffer + total - 8, &bits, 8);
    for (size_t at = 0; at < total; at += 64) {
        uint32_t w[16], a = h[0], b = h[1], c = h[2], d = h[3];
        memcpy(w, buffer + at, 64);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t f, g;
            switch (i / 16) {
            case 0: f = (b & c) | (~b & d), g = i; break;
            case 1: f = (d & b) | (~d & c), g = (5 * i + 1) % 16; break;
            case 2: f = b ^ c ^ d, g = (3 * i + 5) % 16; break;
            default: f = c ^ (b | ~d), g = 7 * i % 16;
            }
            uint32_t k = (uint32_t)floor(fabs(sin(i + 1.0)) * 4294967296.0), s = shift[i / 16][i % 4];
            f += a + k + w[g];
            a = d, d = c, c = b;
            b += f << s | f >> (32 - s);
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d;
    }
    memcpy(out, h, 16);
}
static uint32_t crc32(const uint8_t *p, size_t n) {
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int b = 0; b < 8; b++) c = c >> 1 ^ (0xedb88320 & -(c & 1));
            table[i] = c;
        }
    uint32_t c = ~0u;
    while (n--) c = table[(c ^ *p++) & 0xff] ^ c >> 8;
    return ~c;
}
static uint16_t crc16(const uint8_t *p, size_t n) {
    uint16_t c = 0xffff;
    while (n--) {
        c ^= (uint16_t)(*p++ << 8);
        for (int b = 0; b < 8; b++) c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
    }
    return c;
}
static uint32_t adler(const uint8_t *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n--) a = (a + *p++) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}
static uint64_t fnv(const uint8_t *p, size_t n) {
    uint64_t h = 0xcbf29ce484222325;
    while (n--) h = (h ^ *p++) * 0x100000001b3;
    return h;
}
static uint64_t rotl(uint64_t x, int b) { return x << b | x >> (64 - b); }
static uint64_t sip(const uint8_t *p, size_t n, uint64_t k0, uint64_t k1) {
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    size_t left = n;
    for (int last = 0; !last;) {
        uint64_t m = 0;
        size_t take = left < 8 ? left : 8;
        memcpy(&m, p, take);
        if (left < 8) m |= (uint64_t)n << 56, last = 1;
        p += take, left -= take;
        v[3] ^= m;
        for (int r = 0; r < (last ? 6 : 2); r++) {
            if (last && r == 2) v[0] ^= m, v[2] ^= 0xff;
            v[0] += v[1], v[1] = rotl(v[1], 13) ^ v[0], v[0] = rotl(v[0], 32);
            v[2] += v[3], v[3] = rotl(v[3], 16) ^ v[2];
            v[0] += v[3], v[3] = rotl(v[3], 21) ^ v[0];
            v[2] += v[1], v[1] = rotl(v[1], 17) ^ v[2], v[2] = rotl(v[2], 32);
        }
        if (!last) v[0] ^= m;
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

int main(void) {
    const char *texts[] = {"", "a", "abc", "message digest", "123456789", "The quick brown fox jumps over the lazy dog",
                           "12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    for (int i = 0; i < 7; i++) {
        const uint8_t *t = (const uint8_t *)texts[i];
        size_t n = strlen(texts[i]);
        uint8_t digest[16];
        md5(t, n, digest);
        for (int j = 0; j < 16; j++) printf("%02x", digest[j]);
        printf(" %08x %04x %08x %016llx %016llx\n", crc32(t, n), crc16(t, n), adler(t, n), (unsigned long long)fnv(t, n),
               (unsigned long long)sip(t, n, 0x0706050403020100, 0x0f0e0d0c0b0a0908));
    }
    return 0;
}
