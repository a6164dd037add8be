// LZ77 with hash chains: compress, decompress, compare, for several texts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096
#define MIN 3
#define MAX 66

static size_t compress(const uint8_t *in, size_t n, uint8_t *out) {
    static int head[1 << 12], previous[WINDOW];
    memset(head, -1, sizeof head);
    size_t o = 0, flag = 0;
    int bit = 8;
    for (size_t i = 0; i < n;) {
        if (bit == 8) flag = o++, out[flag] = 0, bit = 0;
        size_t best = 0, where = 0;
        unsigned h = 0;
        if (i + MIN <= n) {
            h = (in[i] * 2654435761u ^ in[i + 1] * 40503u ^ in[i + 2] * 2246822519u) >> 20;
            for (int p = head[h], tries = 32; p >= 0 && i - (size_t)p < WINDOW && tries--; p = previous[p % WINDOW]) {
                size_t l = 0;
                while (l < MAX && i + l < n && in[(size_t)p + l] == in[i + l]) l++;
                if (l > best) best = l, where = i - (size_t)p;
                if (previous[p % WINDOW] >= p) break;
            }
        }
        size_t step = best >= MIN ? best : 1;
        if (best >= MIN) {
            out[flag] |= (uint8_t)(1 << bit);
            out[o++] = (uint8_t)(where & 0xff);
            out[o++] = (uint8_t)(where >> 8 << 4 | ((best - MIN) & 15));
            out[o++] = (uint8_t)((best - MIN) >> 4);
        } else out[o++] = in[i];
        bit++;
        for (size_t k = 0; k < step; k++, i++) {
            if (i + MIN > n) continue;
            h = (in[i] * 2654435761u ^ in[i + 1] * 40503u ^ in[i + 2] * 2246822519u) >> 20;
            previous[i % WINDOW] = head[h], head[h] = (int)i;
        }
    }
    return o;
}

static size_t expand(const uint8_t *in, size_t n, uint8_t *out) {
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        uint8_t flags = in[i++];
        for (int b = 0; b < 8 && i < n; b++) {
            if (!(flags >> b & 1)) { out[o++] = in[i++]; continue; }
            size_t where = in[i] | (size_t)(in[i + 1] >> 4) << 8, length = (in[i + 1] & 15) + ((size_t)in[i + 2] << 4) + MIN;
            i += 3;
            for (; length--; o++) out[o] = out[o - where];
        }
    }
    return o;
}

int main(void) {
    static uint8_t text[20000], packed[40000], back[20000];
    for (int kind = 0; kind < 4; kind++) {
        size_t n = 0;
        unsigned x = 5;
        while (n < sizeof text - 20) {
            x = x * 1664525u + 1013904223u;
            if (kind == 0) n += (size_t)sprintf((char *)text + n, "%s ", (const char *[]){"alpha", "beta", "gamma", "delta"}[x >> 30]);
            else if (kind == 1) text[n++] = (uint8_t)(x >> 24);
            else if (kind == 2) text[n++] = 'a';
            else text[n] = (uint8_t)(n % 251 + (n / 1000)), n++;
        }
        size_t p = compress(text, n, packed), u = expand(packed, p, back);
        unsigned hash = 0;
        for (size_t i = 0; i < p; i++) hash = hash * 131 + packed[i];
        printf("%zu -> %zu %08x %s\n", n, p, hash, u == n && !memcmp(text, back, n) ? "same" : "different");
    }
    return 0;
}
