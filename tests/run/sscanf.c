// sscanf: every conversion, widths, assignment suppression, sets, failures, counts.
#include <stdio.h>
#include <string.h>

int main(void) {
    int i = 0, j = 0, k = 0, n = 0;
    unsigned u = 0;
    short h = 0;
    signed char hh = 0;
    long l = 0;
    long long ll = 0;
    float f = 0;
    double d = 0;
    long double ld = 0;
    char c, s[32], t[32], w[4];
    void *p;
#define R(...) printf("%d ", sscanf(__VA_ARGS__))
    R("12 34", "%d %d", &i, &j), printf("%d %d\n", i, j);
    R("-5,+6", "%d,%d", &i, &j), printf("%d %d\n", i, j);
    R("0x1f 017 9", "%i %i %i", &i, &j, &k), printf("%d %d %d\n", i, j, k);
    R("ff 77 99", "%x %o %u", &u, (unsigned *)&i, (unsigned *)&j), printf("%u %d %d\n", u, i, j);
    R("40000 300 5000000000 9", "%hd %hhd %ld %lld", &h, &hh, &l, &ll), printf("%d %d %ld %lld\n", h, hh, l, ll);
    R("1.5 2.5e3 0x1p4", "%f %lf %Lf", &f, &d, &ld), printf("%g %g %Lg\n", f, d, ld);
    R("inf nan", "%f %lf", &f, &d), printf("%g %d\n", f, d != d);
    R("  word next", "%s %s", s, t), printf("%s %s\n", s, t);
    R("abcdef", "%3s%s", s, t), printf("%s %s\n", s, t);
    R("xyz", "%c%2c", &c, w), w[2] = 0, printf("%c %s\n", c, w);
    R(" x", "%c", &c), printf("[%c]\n", c);
    R("key=value;rest", "%[^=]=%[a-z]%n", s, t, &n), printf("%s %s %d\n", s, t, n);
    R("]]x", "%[]]%c", s, &c), printf("%s %c\n", s, c);
    R("a-b_c", "%[a-z-]", s), printf("%s\n", s);
    R("1 2 3", "%*d %d %*d%n", &i, &n), printf("%d %d\n", i, n);
    R("100%", "%d%%%n", &i, &n), printf("%d %d\n", i, n);
    R("12345678", "%3d%2d%n", &i, &j, &n), printf("%d %d %d\n", i, j, n);
    R("abc", "%d", &i), printf("%d\n", i);
    R("", "%d", &i), printf("%d\n", i);
    R("   ", "%d", &i), printf("%d\n", i);
    R("5 x", "%d %d", &i, &j), printf("%d %d\n", i, j);
    R("2024-02-29T12:30", "%d-%d-%dT%d:%d", &i, &j, &k, &n, (int *)&u), printf("%d %d %d %d %u\n", i, j, k, n, u);
    R("0x1234", "%p", &p), printf("%p\n", p);
    R("99999999999", "%d", &i), printf("%d\n", i);
    R("1e5x", "%lf%c", &d, &c), printf("%g %c\n", d, c);
    R(".5. 1e", "%lf.%lf", &d, (double *)&ld), printf("%g\n", d);
    R("-", "%d", &i), printf("\n");
    R("+-3", "%d", &i), printf("\n");
    R("a b", "a b%n", &n), printf("%d\n", n);
    R("ab", "a b%n", &n), printf("%d\n", n);
    R("18446744073709551615 -1", "%lu %lu", (unsigned long *)&l, (unsigned long *)&ll), printf("%lu %llu\n", (unsigned long)l, (unsigned long long)ll);
    R("3 4", "%2$d %1$d", &i, &j), printf("%d %d\n", i, j);
    char *m;
    R("allocated here", "%ms", &m), printf("%s\n", m);
    size_t z;
    R("77 8", "%zu %jd", &z, (long *)&l), printf("%zu %ld\n", z, l);
    return 0;
}
