// Structs, vectors and wide numbers among variable arguments: in registers while there are
// some left, on the stack from then on.
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

struct floats2 { float x, y; };
struct floats3 { float x, y, z; };
struct doubles { double x, y; };
struct mixed { double x; long y; };
struct longs { long a, b; };
struct large { int a[10]; };
struct bytes { char c[3]; };
struct together { float f; int i; };
struct extended { long double v; };
typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(8)));

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': printf("%d", va_arg(list, int)); break;
        case 'd': printf("%g", va_arg(list, double)); break;
        case 'L': printf("%Lg", va_arg(list, long double)); break;
        case '2': { struct floats2 s = va_arg(list, struct floats2); printf("{%g %g}", s.x, s.y); break; }
        case '3': { struct floats3 s = va_arg(list, struct floats3); printf("{%g %g %g}", s.x, s.y, s.z); break; }
        case 'D': { struct doubles s = va_arg(list, struct doubles); printf("{%g %g}", s.x, s.y); break; }
        case 'm': { struct mixed s = va_arg(list, struct mixed); printf("{%g %ld}", s.x, s.y); break; }
        case 'l': { struct longs s = va_arg(list, struct longs); printf("{%ld %ld}", s.a, s.b); break; }
        case 'b': { struct large s = va_arg(list, struct large); printf("{%d..%d}", s.a[0], s.a[9]); break; }
        case 'c': { struct bytes s = va_arg(list, struct bytes); printf("{%d %d %d}", s.c[0], s.c[1], s.c[2]); break; }
        case 't': { struct together s = va_arg(list, struct together); printf("{%g %d}", s.f, s.i); break; }
        case 'E': { struct extended s = va_arg(list, struct extended); printf("{%Lg}", s.v); break; }
        case 'w': { __int128 w = va_arg(list, __int128); printf("%lx:%lx", (long)(w >> 64), (long)w); break; }
        case 'v': { floats v = va_arg(list, floats); printf("<%g %g %g %g>", v[0], v[1], v[2], v[3]); break; }
        case 'V': { ints v = va_arg(list, ints); printf("<%d %d>", v[0], v[1]); break; }
        case 'C': { float complex c = va_arg(list, float complex); printf("%g+%gi", crealf(c), cimagf(c)); break; }
        case 'Z': { double complex c = va_arg(list, double complex); printf("%g+%gi", creal(c), cimag(c)); break; }
        }
        putchar(' ');
    }
    va_end(list);
    putchar('\n');
}

int main(void) {
    struct floats2 f2 = {1.5f, 2.5f};
    struct floats3 f3 = {1, 2, 3};
    struct doubles dd = {7, 8};
    struct mixed m = {1.25, 77};
    struct longs l = {5, 6};
    struct large b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    struct bytes c = {{1, 2, 3}};
    struct together t = {3.5f, 4};
    struct extended e = {0.5L};
    floats v = {1, 2, 3, 4};
    ints V = {11, 22};
    __int128 w = ((__int128)0x1234567890abcdef << 64) | 0xfedcba0987654321;

    show("23Dm", f2, f3, dd, m);
    show("lbctE", l, b, c, t, e);
    show("222222222i", f2, f2, f2, f2, f2, f2, f2, f2, f2, 1);
    show("33333i", f3, f3, f3, f3, f3, 2);
    show("mmmmmm", m, m, m, m, m, m);
    show("llll", l, l, l, l);
    show("ww", w, w);
    show("vVv", v, V, v);
    show("vvvvvvvvvi", v, v, v, v, v, v, v, v, v, 3);
    show("CZC", 1.0f + 2.0f * I, 3.0 + 4.0 * I, 5.0f + 6.0f * I);
    show("iLiLdLb", 1, 2.0L, 3, 4.0L, 5.0, 6.0L, b);
    show("dddddddd2i2", 1., 2., 3., 4., 5., 6., 7., 8., f2, 4, f2);
    return 0;
}
