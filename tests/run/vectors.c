// Vector types of the compiler: arithmetic, comparison, shuffles, conversion, passing.
#include <stdio.h>
#include <string.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef long v2di __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));
typedef int v8si __attribute__((vector_size(32)));

static void show(v4si v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static void showf(v4sf v) { printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]); }
static v4si combine(v4si a, int k, v4si b) { return a * k + b; }
struct holder { v4sf v; int n; };
static struct holder scale(struct holder h) {
    h.v *= (float)h.n;
    return h;
}

int main(void) {
    v4si a = {1, -2, 3, 4}, b = {10, 20, -30, 40};
    show(a + b), show(a - b), show(a * b), show(b / a), show(b % a);
    show(a & b), show(a | b), show(a ^ b), show(~a), show(-a);
    show(a << 2), show(b >> 1), show(a << (v4si){1, 2, 3, 4});
    show(a < b), show(a == b), show(a >= b), show(a != b);
    v4sf f = {1.5f, -2.5f, 0, 4}, g = {2, 2, 2, 0.5f};
    showf(f + g), showf(f * g), showf(f / g), showf(-f), show(f < g), show(f == f);
    v2df d = {1.0 / 3, 2};
    d = d * d - 1;
    printf("%.17g %.17g\n", d[0], d[1]);
    v16qi q;
    for (int i = 0; i < 16; i++) q[i] = (unsigned char)(i * 20);
    q += 100;
    for (int i = 0; i < 16; i++) printf("%d ", q[i]);
    printf("\n");
    v8hi h = (v8hi){1, 2, 3, 4, 5, 6, 7, 8} * (short)1000;
    h >>= 3;
    for (int i = 0; i < 8; i++) printf("%d ", h[i]);
    printf("\n");
    v2di l = {1L << 40, -1};
    l = l * 3 - (v2di){7, 8};
    printf("%ld %ld\n", l[0], l[1]);
    show(__builtin_shufflevector(a, b, 0, 4, 3, 7));
    show(__builtin_convertvector(f, v4si));
    showf(__builtin_convertvector(b, v4sf));
    show(combine(a, 3, b));
    struct holder x = scale((struct holder){f, 3});
    showf(x.v);
    v4su u = (v4su)a >> 28;
    printf("%u %u %u %u\n", u[0], u[1], u[2], u[3]);
    v8si w = {1, 2, 3, 4, 5, 6, 7, 8};
    w = w * w + 1;
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += w[i];
    printf("%d %zu\n", sum, sizeof w);
    int raw[4];
    memcpy(raw, &a, sizeof raw);
    a[raw[0]] = 99;
    show(a);
    v4si same = (a == (v4si){1, 99, 3, 4}) & b;
    show(same);
    return 0;
}
