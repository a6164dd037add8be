// SHA-256 of known messages, in pieces.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sha { uint32_t h[8]; uint64_t length; uint8_t block[64]; unsigned used; };
static uint32_t k[64];

static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The constants are the fractions of roots of primes, found with integers. */
static uint32_t fraction(unsigned p, int cube) {
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 42;
    while (high - low > 1) {
        unsigned __int128 m = (low + high) / 2;
        int below = cube ? m * m * m <= (unsigned __int128)p << 96 : m * m <= (unsigned __int128)p << 64;
        if (below) low = m; else high = m;
    }
    return (uint32_t)low;
}

static void start(struct sha *s) {
    int n = 0;
    memset(s, 0, sizeof *s);
    for (unsigned p = 2; n < 64; p++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (!prime) continue;
        if (n < 8) s->h[n] = fraction(p, 0);
        k[n++] = fraction(p, 1);
    }
}
static void block(struct sha *s) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)s->block[4 * i] << 24 | s->block[4 * i + 1] << 16 | s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[i - 7] + (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
    }
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1, v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) s->h[i] += v[i];
}
static void update(struct sha *s, const void *data, size_t n) {
    const uint8_t *p = data;
    s->length += n;
    while (n--) {
        s->block[s->used++] = *p++;
        if (s->used == 64) block(s), s->used = 0;
    }
}
static void finish(struct sha *s) {
    uint64_t bits = s->length * 8;
    update(s, "\x80", 1);
    while (s->used != 56) update(s, "", 1);
    for (int i = 7; i >= 0; i--) {
        uint8_t byte = (uint8_t)(bits >> 8 * i);
        update(s, &byte, 1);
    }
    for (int i = 0; i < 8; i++) printf("%08x", s->h[i]);
    printf("\n");
}

int main(void) {
    struct sha s;
    const char *messages[] = {"", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"};
    for (int i = 0; i < 3; i++) start(&s), update(&s, messages[i], strlen(messages[i])), finish(&s);
    start(&s);
    for (int i = 0; i < 500; i++) update(&s, "0123456789", (size_t)(i % 11));
    finish(&s);
    return 0;
}
