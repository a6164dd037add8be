// A fast Fourier transform with complex numbers of our own, and a naive one to compare; convolution; number theoretic one.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { double re, im; } cx;
static cx add(cx a, cx b) { return (cx){a.re + b.re, a.im + b.im}; }
static cx sub(cx a, cx b) { return (cx){a.re - b.re, a.im - b.im}; }
static cx mul(cx a, cx b) { return (cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

static void fft(cx *v, int n, int sign) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { cx t = v[i]; v[i] = v[j], v[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double angle = sign * 2 * 3.14159265358979323846 / len;
        cx step = {cos(angle), sin(angle)};
        for (int i = 0; i < n; i += len) {
            cx w = {1, 0};
            for (int k = 0; k < len / 2; k++) {
                cx a = v[i + k], b = mul(v[i + k + len / 2], w);
                v[i + k] = add(a, b), v[i + k + len / 2] = sub(a, b), w = mul(w, step);
            }
        }
    }
}

#define P 998244353u
static uint32_t power(uint64_t b, uint32_t e) {
    uint64_t r = 1;
    for (; e; e >>= 1, b = b * b % P) if (e & 1) r = r * b % P;
    return (uint32_t)r;
}
static void ntt(uint32_t *v, int n, int inverse) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { uint32_t t = v[i]; v[i] = v[j], v[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        uint32_t step = power(3, (P - 1) / (uint32_t)len);
        if (inverse) step = power(step, P - 2);
        for (int i = 0; i < n; i += len) {
            uint64_t w = 1;
            for (int k = 0; k < len / 2; k++, w = w * step % P) {
                uint32_t a = v[i + k], b = (uint32_t)(v[i + k + len / 2] * w % P);
                v[i + k] = (a + b) % P, v[i + k + len / 2] = (a + P - b) % P;
            }
        }
    }
    if (inverse) for (uint32_t k = power((uint64_t)n, P - 2), i = 0; i < (uint32_t)n; i++) v[i] = (uint32_t)((uint64_t)v[i] * k % P);
}

int main(void) {
    cx v[64], w[64];
    for (int i = 0; i < 64; i++) v[i] = w[i] = (cx){sin(i * 0.3) + (i % 7) * 0.25, i % 3 - 1.0};
    fft(v, 64, 1);
    for (int i = 0; i < 64; i += 9) printf("%.12f %.12f\n", v[i].re, v[i].im);
    fft(v, 64, -1);
    double worst = 0;
    for (int i = 0; i < 64; i++) {
        double d = fabs(v[i].re / 64 - w[i].re) + fabs(v[i].im / 64 - w[i].im);
        if (d > worst) worst = d;
    }
    printf("%d\n", worst < 1e-12);
    uint32_t a[64] = {0}, b[64] = {0}, plain[64] = {0};
    for (uint32_t i = 0; i < 30; i++) a[i] = i * i + 1, b[i] = 1000 - i * 7;
    for (int i = 0; i < 30; i++) for (int j = 0; j < 30; j++) plain[i + j] = (uint32_t)((plain[i + j] + (uint64_t)a[i] * b[j]) % P);
    ntt(a, 64, 0), ntt(b, 64, 0);
    for (int i = 0; i < 64; i++) a[i] = (uint32_t)((uint64_t)a[i] * b[i] % P);
    ntt(a, 64, 1);
    int same = 1;
    for (int i = 0; i < 64; i++) same &= a[i] == plain[i];
    printf("%d %u %u\n", same, a[10], a[58]);
    return 0;
}
