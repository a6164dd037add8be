// AES-128 with tables computed at the start: the standard's vector, and a chain of blocks back and forth.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t sbox[256], inverse[256], keys[11][16];

static uint8_t times2(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }
static uint8_t times(uint8_t a, uint8_t b) {
    uint8_t r = 0;
    for (; b; b >>= 1, a = times2(a)) if (b & 1) r ^= a;
    return r;
}
static void tables(void) {
    uint8_t p = 1, q = 1;
    do {
        p = (uint8_t)(p ^ times2(p));
        q ^= (uint8_t)(q << 1), q ^= (uint8_t)(q << 2), q ^= (uint8_t)(q << 4);
        if (q & 0x80) q ^= 0x09;
        uint8_t x = q;
        for (int i = 1; i < 5; i++) x ^= (uint8_t)(q << i | q >> (8 - i));
        sbox[p] = x ^ 0x63;
    } while (p != 1);
    sbox[0] = 0x63;
    for (int i = 0; i < 256; i++) inverse[sbox[i]] = (uint8_t)i;
}
static void expand(const uint8_t key[16]) {
    uint8_t round = 1, *k = keys[0];
    memcpy(k, key, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4];
        memcpy(t, k + i - 4, 4);
        if (i % 16 == 0) {
            uint8_t first = t[0];
            for (int j = 0; j < 4; j++) t[j] = sbox[j < 3 ? t[j + 1] : first];
            t[0] ^= round, round = times2(round);
        }
        for (int j = 0; j < 4; j++) k[i + j] = k[i + j - 16] ^ t[j];
    }
}
static void add(uint8_t *s, int r) { for (int i = 0; i < 16; i++) s[i] ^= keys[r][i]; }
static void mix(uint8_t *s, const uint8_t m[4]) {
    for (int c = 0; c < 16; c += 4) {
        uint8_t t[4];
        for (int i = 0; i < 4; i++) {
            t[i] = 0;
            for (int j = 0; j < 4; j++) t[i] ^= times(s[c + j], m[(j - i + 4) % 4]);
        }
        memcpy(s + c, t, 4);
    }
}
static void shift(uint8_t *s, int direction) {
    uint8_t t[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) t[4 * c + r] = s[4 * ((c + direction * r + 4) % 4) + r];
    memcpy(s, t, 16);
}
static void encrypt(uint8_t *s) {
    static const uint8_t m[4] = {2, 3, 1, 1};
    add(s, 0);
    for (int r = 1; r <= 10; r++) {
        for (int i = 0; i < 16; i++) s[i] = sbox[s[i]];
        shift(s, 1);
        if (r < 10) mix(s, m);
        add(s, r);
    }
}
static void decrypt(uint8_t *s) {
    static const uint8_t m[4] = {14, 11, 13, 9};
    for (int r = 10; r >= 1; r--) {
        add(s, r);
        if (r < 10) mix(s, m);
        shift(s, -1);
        for (int i = 0; i < 16; i++) s[i] = inverse[s[i]];
    }
    add(s, 0);
}
static void print(const uint8_t *s) {
    for (int i = 0; i < 16; i++) printf("%02x", s[i]);
    printf("\n");
}

int main(void) {
    uint8_t key[16], s[16], chain[8][16], previous[16] = {0};
    tables();
    for (int i = 0; i < 16; i++) key[i] = (uint8_t)i, s[i] = (uint8_t)(i * 17);
    expand(key);
    encrypt(s), print(s), decrypt(s), print(s);
    for (int b = 0; b < 8; b++) {
        for (int i = 0; i < 16; i++) chain[b][i] = (uint8_t)(b * 16 + i) ^ previous[i];
        encrypt(chain[b]);
        memcpy(previous, chain[b], 16);
    }
    print(chain[7]);
    int good = 1;
    for (int b = 7; b >= 0; b--) {
        decrypt(chain[b]);
        for (int i = 0; i < 16; i++) good &= (chain[b][i] ^ (b ? chain[b - 1][i] : 0)) == b * 16 + i;
    }
    printf("%d\n", good);
    return 0;
}
