// Variadic functions in all classes: integers, doubles, pointers, structures, long double, va_copy.
#include <stdarg.h>
#include <stdio.h>

struct small { int a, b; };
struct fp { double x, y; };
struct mix { double x; int i; };
struct large { long v[5]; };
struct tiny { char c[3]; };
struct wide { long double x; };

static long sum(int n, ...) {
    va_list ap;
    long s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s = s * 3 + va_arg(ap, int);
    va_end(ap);
    return s;
}

static double total(const char *types, ...) {
    va_list ap, copy;
    double s = 0;
    va_start(ap, types);
    va_copy(copy, ap);
    for (int pass = 0; pass < 2; pass++) {
        va_list *list = pass ? &copy : &ap;
        for (const char *t = types; *t; t++) {
            switch (*t) {
            case 'i': s += va_arg(*list, int); break;
            case 'l': s += va_arg(*list, long); break;
            case 'd': s += va_arg(*list, double); break;
            case 'c': s += va_arg(*list, int); break;
            case 'L': s += (double)va_arg(*list, long double); break;
            case 's': { struct small v = va_arg(*list, struct small); s += v.a * 10 + v.b; break; }
            case 'f': { struct fp v = va_arg(*list, struct fp); s += v.x * 10 + v.y; break; }
            case 'm': { struct mix v = va_arg(*list, struct mix); s += v.x * 10 + v.i; break; }
            case 'g': { struct large v = va_arg(*list, struct large); s += v.v[0] + v.v[4]; break; }
            case 't': { struct tiny v = va_arg(*list, struct tiny); s += v.c[0] + v.c[2]; break; }
            case 'w': { struct wide v = va_arg(*list, struct wide); s += (double)v.x; break; }
            case 'p': s += *va_arg(*list, int *); break;
            case 'x': s += (double)(va_arg(*list, __int128) >> 64); break;
            }
            s *= 1.5;
        }
    }
    va_end(copy);
    va_end(ap);
    return s;
}

static int format(char *out, unsigned size, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int n = vsnprintf(out, size, f, ap);
    va_end(ap);
    return n;
}

static int third(va_list ap) {
    (void)va_arg(ap, int);
    (void)va_arg(ap, double);
    return va_arg(ap, int);
}

static int indirect(int x, ...) {
    va_list ap;
    va_start(ap, x);
    int r = third(ap);
    va_end(ap);
    return r;
}

int main(void) {
    printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    struct small s = {1, 2};
    struct fp f = {1.5, 2.5};
    struct mix m = {3.5, 4};
    struct large g = {{5, 6, 7, 8, 9}};
    struct tiny t = {{1, 2, 3}};
    struct wide w = {1.25L};
    int p = 77;
    printf("%.10g\n", total("iildc", 1, -2, 3L, 4.5, 'x'));
    printf("%.10g\n", total("sfmgtw", s, f, m, g, t, w));
    printf("%.10g\n", total("ddddddddddff", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., f, f));
    printf("%.10g\n", total("iiiiiiissmm", 1, 2, 3, 4, 5, 6, 7, s, s, m, m));
    printf("%.10g\n", total("iLiLiwp", 1, 2.0L, 3, 4.0L, 5, w, &p));
    printf("%.10g\n", total("ixiixx", 1, (__int128)2 << 64, 3, 5, (__int128)4 << 64, (__int128)6 << 64));
    printf("%.10g\n", total("fsfsfsfsgg", f, s, f, s, f, s, f, s, g, g));
    char out[32];
    int n = format(out, sizeof out, "%d/%s/%g/%c", 5, "five", 5.5, '5');
    printf("%d %s\n", n, out);
    printf("%d\n", indirect(0, 1, 2.0, 3));
    int (*volatile v)(int, ...) = indirect;
    printf("%d\n", v(9, 8, 7.0, 6));
    return 0;
}
