// Thread-local variables, comma and sequence subtleties, evaluation of conditions, increments in odd places.
#include <stdio.h>
#include <threads.h>

static _Thread_local int counter = 5;
static __thread int zero;
thread_local long wide = 1L << 40;
static _Thread_local char buffer[8] = "tls";

static int trace[32], traced;
static int note(int x) {
    trace[traced++] = x;
    return x;
}

static int *address(void) { return &counter; }

int main(void) {
    counter++, zero--;
    *address() += 10;
    buffer[0]++;
    printf("%d %d %ld %s\n", counter, zero, wide, buffer);
    int a = (note(1), note(2), note(3));
    int b = note(0) && note(4);
    int c = note(5) || note(6);
    int d = note(0) ? note(7) : note(8);
    note(9) && (note(0) || note(10)) && note(11);
    for (int i = 0; i < traced; i++) printf("%d ", trace[i]);
    printf("| %d %d %d %d\n", a, b, c, d);
    int v[5] = {1, 2, 3, 4, 5}, *p = v;
    int x = *p++ + *p++ * 10;
    printf("%d %d\n", x, *p);
    *p++ = *p + 100;
    printf("%d %d %d %d\n", v[2], v[3], *p, (int)(p - v));
    p = v + 4;
    x = *--p;
    x += (*p)--;
    printf("%d %d\n", x, v[3]);
    int i = 0;
    i = i++ + 1 ? i + 5 : -1;
    printf("%d\n", i);
    int n = 3;
    while (n --> 0) printf("%d", n);
    printf("\n");
    x = 5;
    x += x -= 3, x *= 2;
    printf("%d\n", x);
    int y = x > 3 ? x < 10 ? 1 : 2 : 3;
    printf("%d %d\n", y, !!x + !x);
    unsigned u = 0;
    printf("%d\n", u - 1 > 0);
    printf("%d %d\n", sizeof(note(99)) == 4, traced);
    const char *s = "a" "b" "c";
    printf("%s %c %c\n", s, 1[s], *(s + 2));
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (*row)[3] = m;
    printf("%d %d %d\n", (*++row)[1], row[-1][2], *(*m + 4));
    do { x = 7; if (x == 7) break; } while (x = 0, 1);
    printf("%d\n", x);
    for (int j = 0, k = 10; j < k; j += 3, k--) printf("%d,%d ", j, k);
    printf("\n");
    return 0;
}
