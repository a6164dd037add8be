// Polynomials over the rationals: arithmetic, division, greatest common divisor, derivative, printing.
#include <stdio.h>
#include <stdlib.h>

typedef struct { long n, d; } ratio;
static long gcd(long a, long b) { return b ? gcd(b, a % b) : labs(a); }
static ratio make(long n, long d) {
    long g = gcd(n, d);
    if (d < 0) g = -g;
    return g ? (ratio){n / g, d / g} : (ratio){0, 1};
}
static ratio radd(ratio a, ratio b) { return make(a.n * b.d + b.n * a.d, a.d * b.d); }
static ratio rmul(ratio a, ratio b) { return make(a.n * b.n, a.d * b.d); }
static ratio rdiv(ratio a, ratio b) { return make(a.n * b.d, a.d * b.n); }
static ratio rneg(ratio a) { return (ratio){-a.n, a.d}; }

typedef struct { int degree; ratio c[16]; } poly;
static poly trim(poly p) {
    while (p.degree >= 0 && p.c[p.degree].n == 0) p.degree--;
    return p;
}
static poly of(int n, const long *c) {
    poly p = {n - 1, {{0, 1}}};
    for (int i = 0; i < 16; i++) p.c[i] = make(i < n ? c[i] : 0, 1);
    return trim(p);
}
static poly mul(poly a, poly b) {
    poly r = of(0, NULL);
    if (a.degree < 0 || b.degree < 0) return r;
    r.degree = a.degree + b.degree;
    for (int i = 0; i <= a.degree; i++)
        for (int j = 0; j <= b.degree; j++) r.c[i + j] = radd(r.c[i + j], rmul(a.c[i], b.c[j]));
    return r;
}
static poly divide(poly a, poly b, poly *rest) {
    poly q = of(0, NULL);
    while (a.degree >= b.degree) {
        int shift = a.degree - b.degree;
        ratio k = rdiv(a.c[a.degree], b.c[b.degree]);
        if (shift > q.degree) q.degree = shift;
        q.c[shift] = k;
        for (int i = 0; i <= b.degree; i++) a.c[i + shift] = radd(a.c[i + shift], rneg(rmul(k, b.c[i])));
        a = trim(a);
    }
    *rest = a;
    return q;
}
static poly derive(poly p) {
    for (int i = 0; i < p.degree; i++) p.c[i] = rmul(p.c[i + 1], make(i + 1, 1));
    if (p.degree >= 0) p.c[p.degree] = make(0, 1);
    return trim(p);
}
static poly common(poly a, poly b) {
    while (b.degree >= 0) {
        poly r;
        divide(a, b, &r);
        a = b, b = r;
    }
    ratio lead = a.c[a.degree];
    for (int i = 0; i <= a.degree; i++) a.c[i] = rdiv(a.c[i], lead);
    return a;
}
static void print(const char *name, poly p) {
    printf("%s:", name);
    if (p.degree < 0) printf(" 0");
    for (int i = p.degree; i >= 0; i--) {
        if (!p.c[i].n) continue;
        printf(" %s%ld", p.c[i].n < 0 ? "- " : "+ ", labs(p.c[i].n));
        if (p.c[i].d != 1) printf("/%ld", p.c[i].d);
        if (i) printf(i > 1 ? " x^%d" : " x", i);
    }
    printf("\n");
}

int main(void) {
    poly a = of(4, (long[]){-6, 11, -6, 1}), b = of(3, (long[]){2, -3, 1}), c = of(3, (long[]){1, 0, 2}), r;
    print("a", a), print("b", b), print("a*b", mul(a, b)), print("a*c", mul(a, c));
    print("a/b", divide(a, b, &r)), print("rest", r);
    print("a/c", divide(a, c, &r)), print("rest", r);
    print("gcd", common(a, b)), print("gcd", common(mul(a, c), mul(b, c)));
    for (poly d = a; d.degree >= 0; d = derive(d)) print("d", d);
    return 0;
}
