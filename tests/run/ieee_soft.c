// Floating-point addition and multiplication in integers, compared with the processor on random bits.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 7;
static uint32_t next(void) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 32);
}
static float from(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static uint32_t to(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

static uint32_t pack(int sign, int exponent, uint64_t mantissa) {
    if (!mantissa) return (uint32_t)sign << 31;
    int top = 63 - __builtin_clzll(mantissa);
    exponent += top - 23;
    int shift = top - 23;
    if (exponent < 1) shift += 1 - exponent, exponent = 1;
    if (shift > 62) shift = 62;
    if (shift > 0) {
        uint64_t rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
        mantissa >>= shift;
        if (rest > half || (rest == half && mantissa & 1)) mantissa++;
    } else mantissa <<= -shift;
    if (mantissa >> 24) mantissa >>= 1, exponent++;
    if (exponent > 254) return (uint32_t)sign << 31 | 0x7f800000;
    if (!(mantissa >> 23)) exponent = 0;
    return (uint32_t)sign << 31 | (uint32_t)exponent << 23 | ((uint32_t)mantissa & 0x7fffff);
}
static uint32_t mul(uint32_t a, uint32_t b) {
    int ea = a >> 23 & 255, eb = b >> 23 & 255;
    uint64_t ma = a & 0x7fffff, mb = b & 0x7fffff;
    if (ea) ma |= 0x800000; else ea = 1;
    if (eb) mb |= 0x800000; else eb = 1;
    return pack((a ^ b) >> 31, ea + eb - 127 - 23, ma * mb);
}
static uint32_t add(uint32_t a, uint32_t b) {
    if ((a & 0x7fffffff) < (b & 0x7fffffff)) { uint32_t t = a; a = b, b = t; }
    int ea = a >> 23 & 255, eb = b >> 23 & 255;
    uint64_t ma = a & 0x7fffff, mb = b & 0x7fffff;
    if (ea) ma |= 0x800000; else ea = 1;
    if (eb) mb |= 0x800000; else eb = 1;
    int d = ea - eb;
    ma <<= 32;
    uint64_t lost = 0;
    mb <<= 32;
    if (d > 60) lost = mb != 0, mb = 0;
    else lost = d && (mb & ((1ull << d) - 1)) != 0, mb >>= d;
    mb |= lost;
    int subtract = (a ^ b) >> 31;
    uint64_t m = subtract ? ma - mb : ma + mb;
    if (!m) return subtract ? 0 : a & 0x80000000;
    return pack((int)(a >> 31), ea - 32, m);
}

int main(void) {
    int wrong[2] = {0};
    uint32_t hash = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t a = next(), b = next();
        if (i % 3 == 0) b = (b & 0x807fffff) | (a & 0x7f800000);
        if (i % 7 == 0) a &= 0x80ffffff;
        if ((a >> 23 & 255) == 255 || (b >> 23 & 255) == 255) continue;
        volatile float x = from(a), y = from(b);
        uint32_t p = to(x * y), s = to(x + y);
        wrong[0] += p != mul(a, b), wrong[1] += s != add(a, b);
        hash = hash * 31 + p, hash = hash * 31 + s;
        if (i % 2000 == 0) printf("%08x %08x %08x %08x\n", a, b, p, s);
    }
    printf("%d %d %08x\n", wrong[0], wrong[1], hash);
    return 0;
}
