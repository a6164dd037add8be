// Primes by a sieve of bits and by a segmented sieve; sums, gaps, factorisation, totients.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 200000
static uint8_t sieve[LIMIT / 16 + 1];
static int is_prime(unsigned n) { return n == 2 || (n > 2 && n & 1 && !(sieve[n >> 4] >> (n >> 1 & 7) & 1)); }

static void factor(unsigned long n) {
    printf("%lu =", n);
    for (unsigned long p = 2; p * p <= n; p += p == 2 ? 1 : 2)
        while (n % p == 0) printf(" %lu", p), n /= p;
    if (n > 1) printf(" %lu", n);
    printf("\n");
}

static unsigned long power(unsigned long b, unsigned long e, unsigned long m) {
    unsigned long r = 1;
    for (b %= m; e; e >>= 1) {
        if (e & 1) r = (unsigned long)((unsigned __int128)r * b % m);
        b = (unsigned long)((unsigned __int128)b * b % m);
    }
    return r;
}
static int miller(unsigned long n) {
    if (n < 2 || n % 2 == 0) return n == 2;
    unsigned long d = n - 1, s = 0;
    while (d % 2 == 0) d /= 2, s++;
    static const unsigned long bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    for (int i = 0; i < 12; i++) {
        if (bases[i] % n == 0) continue;
        unsigned long x = power(bases[i], d, n), r = 0;
        if (x == 1 || x == n - 1) continue;
        for (r = 1; r < s && x != n - 1; r++) x = (unsigned long)((unsigned __int128)x * x % n);
        if (x != n - 1) return 0;
    }
    return 1;
}

int main(void) {
    for (unsigned i = 3; i * i <= LIMIT; i += 2)
        if (is_prime(i))
            for (unsigned j = i * i; j <= LIMIT; j += 2 * i) sieve[j >> 4] |= (uint8_t)(1 << (j >> 1 & 7));
    unsigned count = 0, gap = 0, last = 2, twins = 0;
    unsigned long sum = 0;
    for (unsigned i = 2; i <= LIMIT; i++) {
        if (!is_prime(i)) continue;
        count++, sum += i, twins += i - last == 2;
        if (i - last > gap) gap = i - last;
        last = i;
    }
    printf("%u %lu %u %u %u\n", count, sum, gap, last, twins);
    factor(600851475143), factor(1000000007), factor(1ul << 40), factor(9999999999);
    int *phi = malloc(1001 * sizeof *phi), wrong = 0;
    for (int i = 0; i <= 1000; i++) phi[i] = i;
    for (int i = 2; i <= 1000; i++)
        if (phi[i] == i) for (int j = i; j <= 1000; j += i) phi[j] -= phi[j] / i;
    long total = 0;
    for (int i = 1; i <= 1000; i++) total += phi[i];
    for (unsigned i = 0; i < 3000; i++) wrong += miller(i) != is_prime(i);
    printf("%ld %d %d %d\n", total, wrong, miller(18446744073709551557ul), miller(18446744073709551556ul + 3));
    free(phi);
    return 0;
}
