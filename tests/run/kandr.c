// Old-style definitions, implicit promotion of their arguments, calls without prototypes.
// cflags: -std=gnu89 -w
#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

double scale(x, k, c)
float x;
short k;
char c;
{
    return x * k + c;
}

int sum(v, n)
int v[];
{
    int s = 0;
    while (n--) s += *v++;
    return s;
}

char *pick(which) { return which ? "yes" : "no"; }

static apply(f, x)
int (*f)();
{
    return f(x, x + 1);
}

main() {
    int v[4] = {1, 2, 3, 4};
    int (*f)() = add;
    auto i = 3;
    register j = 4;
    printf("%d %g %d %s\n", add(2, 3), scale(1.5, 2, 'a'), sum(v, 4), pick(0));
    printf("%d %d\n", f(i, j), apply(add, 10));
    implicit(7);
    return 0;
}

implicit(x) {
    printf("%d\n", x);
    return x;
}
