// Function pointers: tables, callbacks, returned functions, comparison, recursion through pointers.
#include <stdio.h>

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int divide(int a, int b) { return b ? a / b : 0; }

static const struct op {
    char name;
    binary f;
} ops[] = {{'+', add}, {'-', sub}, {'*', mul}, {'/', divide}, {0, 0}};

static binary find(char c) {
    for (const struct op *o = ops; o->f; o++)
        if (o->name == c) return o->f;
    return 0;
}

static int fold(binary f, const int *v, int n, int start) {
    while (n--) start = f(start, *v++);
    return start;
}

static int (*choose(int which))(int, int) { return which ? add : sub; }

struct shape {
    const struct vtable *v;
    double a, b;
};
struct vtable {
    const char *name;
    double (*area)(const struct shape *);
    void (*scale)(struct shape *, double);
};
static double rect_area(const struct shape *s) { return s->a * s->b; }
static double circle_area(const struct shape *s) { return 3.0 * s->a * s->a; }
static void rect_scale(struct shape *s, double k) { s->a *= k, s->b *= k; }
static void circle_scale(struct shape *s, double k) { s->a *= k; }
static const struct vtable rect = {"rect", rect_area, rect_scale}, circle = {"circle", circle_area, circle_scale};

static int fact(int n, int (*self)(int, void *), void *p);
static int step(int n, void *p) { return fact(n, step, p); }
static int fact(int n, int (*self)(int, void *), void *p) { return n < 2 ? 1 : n * self(n - 1, p); }

static void each(const int *v, int n, void (*f)(int, void *), void *context) {
    for (int i = 0; i < n; i++) f(v[i], context);
}
static void accumulate(int x, void *context) { *(long *)context += x; }

int main(void) {
    int v[] = {3, 1, 4, 1, 5};
    const char *names = "+-*/?";
    for (const char *c = names; *c; c++) {
        binary f = find(*c);
        if (f) printf("%c %d %d\n", *c, fold(f, v, 5, 100), (*f)(17, 5));
        else printf("%c unknown\n", *c);
    }
    printf("%d %d\n", choose(1)(2, 3), (**choose(0))(2, 3));
    struct shape shapes[] = {{&rect, 2, 3}, {&circle, 2, 0}};
    for (int i = 0; i < 2; i++) {
        shapes[i].v->scale(&shapes[i], 1.5);
        printf("%s %g\n", shapes[i].v->name, shapes[i].v->area(&shapes[i]));
    }
    printf("%d\n", fact(10, step, 0));
    long total = 0;
    each(v, 5, accumulate, &total);
    printf("%ld %d %d\n", total, find('+') == add, find('-') == add);
    binary table[2][2] = {{add, sub}, {mul, divide}};
    for (int i = 0; i < 4; i++) printf("%d ", table[i / 2][i % 2](20, 6));
    printf("\n%d\n", (find('*') ? find('*') : add)(6, 7));
    return 0;
}
