// printf with thousands of pseudo-random formats and values.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;
static uint64_t next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

int main(void) {
    char format[64], out[2000];
    uint32_t hash = 0;
    for (int i = 0; i < 6000; i++) {
        char *p = format;
        *p++ = '%';
        for (const char *f = "-+ #0"; *f; f++)
            if (next() % 4 == 0) *p++ = *f;
        if (next() % 2) p += sprintf(p, "%d", (int)(next() % 30));
        if (next() % 2) p += sprintf(p, ".%d", (int)(next() % 25));
        int kind = (int)(next() % 3), n;
        if (kind == 0) {
            static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
            int l = (int)(next() % 8);
            strcpy(p, lengths[l]), p += strlen(p);
            *p++ = "diouxX"[next() % 6], *p = 0;
            uint64_t v = next() >> next() % 64;
            n = l < 3 ? sprintf(out, format, (int)v) : sprintf(out, format, v);
        } else if (kind == 1) {
            *p++ = "eEfFgGaA"[next() % 8], *p = 0;
            uint64_t u = next();
            if (next() % 3 == 0) u = (u & 0x800fffffffffffffull) | (uint64_t)(1023 + (int)(next() % 80) - 40) << 52;
            double d;
            memcpy(&d, &u, 8);
            if (d != d) d = 0;
            n = sprintf(out, format, d);
        } else {
            *p++ = 'L', *p++ = "eEfFgGaA"[next() % 8], *p = 0;
            long double d = (long double)(int64_t)next() / (long double)(next() >> next() % 60 | 1);
            n = sprintf(out, format, d);
        }
        for (int k = 0; k < n; k++) hash = hash * 31 + (unsigned char)out[k];
        if (i % 10 == 0) printf("%s [%.150s] %d\n", format, out, n);
        else if (i % 500 == 499) printf("%08x\n", hash);
    }
    printf("%08x\n", hash);
    return 0;
}
