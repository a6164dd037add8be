// Structures with floating-point members by value: all classes of the x86-64 calling convention.
#include <stdio.h>

struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct f5 { float a, b, c, d, e; };
struct d1 { double a; };
struct d2 { double a, b; };
struct d3 { double a, b, c; };
struct id { int a; double b; };
struct di { double a; int b; };
struct fi { float a; int b; };
struct fii { float a; int b, c; };
struct ffd { float a, b; double c; };
struct cfd { char a; float b; double c; };
struct ld { long double a; };
struct nested { struct { float x; struct { int y; } in; } a; double b[1]; };
struct arr { float v[2]; short s[4]; };
union fu { float f; int i; };
union du { double d; struct { int lo, hi; } p; };
union big { char c[20]; double d; };
struct empty {};
struct withempty { struct empty e; int x; };

#define SHOW(...) printf(__VA_ARGS__)

static struct f1 g_f1(struct f1 s) { s.a += 1; return s; }
static struct f2 g_f2(struct f2 s) { s.a += s.b; return s; }
static struct f3 g_f3(struct f3 s) { s.a += s.b * s.c; return s; }
static struct f4 g_f4(struct f4 s) { float t = s.a; s.a = s.d; s.d = t; return s; }
static struct f5 g_f5(struct f5 s) { s.e += s.a; return s; }
static struct d1 g_d1(struct d1 s) { s.a /= 3; return s; }
static struct d2 g_d2(struct d2 s) { s.a -= s.b; return s; }
static struct d3 g_d3(struct d3 s) { s.c = s.a * s.b; return s; }
static struct id g_id(struct id s) { s.a *= 2, s.b *= 2; return s; }
static struct di g_di(struct di s) { s.a *= 2, s.b *= 2; return s; }
static struct fi g_fi(struct fi s) { s.a *= 2, s.b *= 2; return s; }
static struct fii g_fii(struct fii s) { s.c = s.b + (int)s.a; return s; }
static struct ffd g_ffd(struct ffd s) { s.c = s.a + s.b; return s; }
static struct cfd g_cfd(struct cfd s) { s.a++, s.b++, s.c++; return s; }
static struct ld g_ld(struct ld s) { s.a *= 1.5L; return s; }
static struct nested g_nested(struct nested s) { s.a.in.y += (int)s.b[0]; s.b[0] += s.a.x; return s; }
static struct arr g_arr(struct arr s) { s.v[1] += s.s[3]; s.s[0] = 7; return s; }
static union fu g_fu(union fu u) { u.f *= 2; return u; }
static union du g_du(union du u) { u.p.lo ^= 1; return u; }
static union big g_big(union big u) { u.c[19] = u.c[0]; return u; }
static struct withempty g_we(struct withempty s, struct empty e) { (void)e; s.x++; return s; }

static double many(struct d2 a, int i1, struct fi b, double d1, struct f2 c, struct id d, struct d2 e, struct d2 f,
                   struct id g, struct id h, struct id k, struct f4 l, float z) {
    return a.a + a.b * 2 + i1 * 3 + b.a * 4 + b.b * 5 + d1 * 6 + c.a * 7 + c.b * 8 + d.a * 9 + d.b * 10 + e.a * 11 +
           e.b * 12 + f.a * 13 + f.b * 14 + g.a * 15 + g.b * 16 + h.a * 17 + h.b * 18 + k.a * 19 + k.b * 20 +
           l.a * 21 + l.d * 22 + z * 23;
}

int main(void) {
    struct f1 f1 = g_f1((struct f1){1.5f});
    struct f2 f2 = g_f2((struct f2){1.5f, 2.25f});
    struct f3 f3 = g_f3((struct f3){1, 2, 3});
    struct f4 f4 = g_f4((struct f4){1, 2, 3, 4});
    struct f5 f5 = g_f5((struct f5){1, 2, 3, 4, 5});
    SHOW("%g %g %g %g %g %g %g %g %g\n", f1.a, f2.a, f2.b, f3.a, f3.c, f4.a, f4.d, f5.a, f5.e);
    struct d1 d1 = g_d1((struct d1){10});
    struct d2 d2 = g_d2((struct d2){1.5, 2.25});
    struct d3 d3 = g_d3((struct d3){1.5, 2.25, 0});
    SHOW("%.17g %g %g %g\n", d1.a, d2.a, d2.b, d3.c);
    struct id id = g_id((struct id){1, 2.5});
    struct di di = g_di((struct di){1.25, 3});
    struct fi fi = g_fi((struct fi){1.25f, 3});
    struct fii fii = g_fii((struct fii){1.25f, 3, 0});
    struct ffd ffd = g_ffd((struct ffd){1, 2, 0});
    struct cfd cfd = g_cfd((struct cfd){'a', 1.5f, 2.5});
    SHOW("%d %g %g %d %g %d %d %g %c %g %g\n", id.a, id.b, di.a, di.b, fi.a, fi.b, fii.c, ffd.c, cfd.a, cfd.b, cfd.c);
    struct ld ld = g_ld((struct ld){2.5L});
    struct nested ne = g_nested((struct nested){{1.5f, {2}}, {3.5}});
    struct arr ar = g_arr((struct arr){{1, 2}, {3, 4, 5, 6}});
    SHOW("%Lg %g %d %g %g %g %d %d\n", ld.a, ne.a.x, ne.a.in.y, ne.b[0], ar.v[0], ar.v[1], ar.s[0], ar.s[3]);
    union fu fu = g_fu((union fu){.f = 1.5f});
    union du du = g_du((union du){.d = 1.5});
    union big big = {.c = "unions are fun"};
    big = g_big(big);
    SHOW("%x %x %x %c%s\n", fu.i, du.p.lo, du.p.hi, big.c[19], big.c);
    SHOW("%d %zu\n", g_we((struct withempty){{}, 4}, (struct empty){}).x, sizeof(struct withempty));
    SHOW("%.10g\n", many(d2, 1, fi, 2.5, f2, id, d2, d2, id, id, id, f4, 0.5f));
    double (*volatile p)(struct d2, int, struct fi, double, struct f2, struct id, struct d2, struct d2, struct id,
                         struct id, struct id, struct f4, float) = many;
    SHOW("%.10g\n", p(d2, 7, fi, 3.5, f2, id, d2, d2, id, id, id, f4, 1.5f));
    return 0;
}
