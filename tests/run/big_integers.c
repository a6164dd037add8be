// Arbitrary precision: factorials, powers, division, greatest common divisors, digits of e.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t d[64]; int n; } big;

static void set(big *b, uint64_t v) {
    memset(b, 0, sizeof *b);
    for (; v; v >>= 32) b->d[b->n++] = (uint32_t)v;
}
static void mul_small(big *b, uint32_t m) {
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->d[i] * m;
        b->d[i] = (uint32_t)carry, carry >>= 32;
    }
    if (carry) b->d[b->n++] = (uint32_t)carry;
}
static uint32_t div_small(big *b, uint32_t m) {
    uint64_t rest = 0;
    for (int i = b->n; i--;) {
        rest = rest << 32 | b->d[i];
        b->d[i] = (uint32_t)(rest / m), rest %= m;
    }
    while (b->n && !b->d[b->n - 1]) b->n--;
    return (uint32_t)rest;
}
static void add(big *a, const big *b) {
    uint64_t carry = 0;
    int n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)a->d[i] + b->d[i];
        a->d[i] = (uint32_t)carry, carry >>= 32;
    }
    a->n = n;
    if (carry) a->d[a->n++] = (uint32_t)carry;
}
static int compare(const big *a, const big *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n; i--;)
        if (a->d[i] != b->d[i]) return a->d[i] < b->d[i] ? -1 : 1;
    return 0;
}
static void sub(big *a, const big *b) {
    int64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        borrow += (int64_t)a->d[i] - (i < b->n ? b->d[i] : 0);
        a->d[i] = (uint32_t)borrow, borrow >>= 32;
    }
    while (a->n && !a->d[a->n - 1]) a->n--;
}
static void print(big b) {
    char text[700];
    int at = sizeof text - 1;
    text[at] = 0;
    if (!b.n) text[--at] = '0';
    while (b.n) {
        uint32_t r = div_small(&b, 1000000000);
        for (int i = 0; i < 9 && (b.n || r); i++, r /= 10) text[--at] = (char)('0' + r % 10);
    }
    printf("%s\n", text + at);
}
static big mul(const big *a, const big *b) {
    big r;
    set(&r, 0);
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n || carry; j++) {
            carry += r.d[i + j] + (uint64_t)a->d[i] * (j < b->n ? b->d[j] : 0);
            r.d[i + j] = (uint32_t)carry, carry >>= 32;
        }
    }
    r.n = a->n + b->n;
    while (r.n && !r.d[r.n - 1]) r.n--;
    return r;
}
static void gcd(big a, big b) {
    int shift = 0;
    while (a.n && b.n && !((a.d[0] | b.d[0]) & 1)) div_small(&a, 2), div_small(&b, 2), shift++;
    while (a.n) {
        while (!(a.d[0] & 1)) div_small(&a, 2);
        while (b.n && !(b.d[0] & 1)) div_small(&b, 2);
        if (compare(&a, &b) >= 0) sub(&a, &b);
        else { big t = a; a = b, b = t; sub(&a, &b); }
    }
    while (shift--) mul_small(&b, 2);
    print(b);
}

int main(void) {
    big f, fib[2];
    set(&f, 1);
    for (uint32_t i = 1; i <= 100; i++) {
        mul_small(&f, i);
        if (i % 25 == 0) print(f);
    }
    set(&fib[0], 0), set(&fib[1], 1);
    for (int i = 0; i < 300; i++) {
        big t = fib[1];
        add(&fib[1], &fib[0]);
        fib[0] = t;
    }
    print(fib[0]);
    big p;
    set(&p, 3);
    for (int i = 0; i < 6; i++) p = mul(&p, &p);
    print(p);
    gcd(f, fib[0]);
    gcd(f, p);
    big e, term;
    set(&e, 1);
    for (int i = 0; i < 22; i++) mul_small(&e, 1000);
    term = e;
    for (uint32_t i = 1; term.n; i++) div_small(&term, i), add(&e, &term);
    print(e);
    return 0;
}
