// Numbers to text and back, for pseudo-random bit patterns and decimal texts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15ull;
static uint64_t next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

int main(void) {
    char text[100];
    uint64_t hash = 0;
    int bad = 0;
    for (int i = 0; i < 4000; i++) {
        uint64_t u = next(), back;
        double d;
        memcpy(&d, &u, 8);
        if (d != d) continue;
        snprintf(text, sizeof text, "%.17g", d);
        double r = strtod(text, NULL);
        memcpy(&back, &r, 8);
        bad += back != u;
        float f;
        uint32_t v = (uint32_t)next();
        memcpy(&f, &v, 4);
        if (f != f) continue;
        snprintf(text, sizeof text, "%.9g", f);
        float g = strtof(text, NULL);
        bad += memcmp(&f, &g, 4) != 0;
    }
    printf("%d\n", bad);
    for (int i = 0; i < 3000; i++) {
        char *p = text;
        int digits = 1 + (int)(next() % 25), point = (int)(next() % 30);
        for (int k = 0; k < digits; k++) {
            if (k == point) *p++ = '.';
            *p++ = (char)('0' + next() % 10);
        }
        sprintf(p, "e%d", (int)(next() % 660) - 340);
        double d = strtod(text, NULL);
        float f = strtof(text, NULL);
        long double l = strtold(text, NULL);
        uint64_t b = 0;
        uint32_t c;
        unsigned char e[16] = {0};
        memcpy(&b, &d, 8), memcpy(&c, &f, 4), memcpy(e, &l, 10);
        hash = hash * 1099511628211ull ^ b ^ c;
        for (int k = 0; k < 10; k++) hash = hash * 31 + e[k];
        if (i % 100 == 0) printf("%s %a %a %La %016llx\n", text, d, f, l, (unsigned long long)hash);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
