// A value and a comparison of it, or an address that it is part of, in one expression: as
// optimised code has them, where nothing is read from memory twice.
// cflags: -O1
#include <stdio.h>

#define APART __attribute__((noinline))

APART static int less(const int *p, int y) { int x = *p; return x - (x < y); }
APART static int more(const int *p, int y) { int x = *p; return x + (x == y); }
APART static int both(const int *p, int y) { int x = *p; return (x ^ (x > y)) * (x | (x != 3)); }
APART static int at(const int *a, const long *p) { long i = *p; return a[i] + (int)i; }
APART static long from(const int *a, const long *p) { long i = *p; return i - (&a[i] - a); }
APART static int chosen(const int *p, int y) { int x = *p; return x < y ? x : (x == 7) + y; }
APART static void put(int *a, const int *p) { int x = *p; a[x] = x + (x > 2); }
APART static double scaled(const double *p, double y) { double x = *p; return x * (x < y) - x; }

APART static void turn(int n, int *out) {
    int x = 1, y = 2, z = 3;
    for (int i = 0; i < n; i++) {
        int t = x;
        x = y;
        y = z;
        z = t ^ i;
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

APART static __int128 wide(__int128 x, __int128 y, int n) {
    while (n--) {
        __int128 t = x;
        x = y;
        y = t * 3 + y;
    }
    return x ^ y;
}

int main(void) {
    int a[10] = {5, 3, 8, 7, 1, 9, 2, 0, 4, 6};
    for (int i = 0; i < 10; i++) {
        long k = i;
        double d = i / 2.0;
        printf("%d %d %d ", less(a + i, 5), more(a + i, 7), both(a + i, 4));
        printf("%d %ld %d ", at(a, &k), from(a, &k), chosen(a + i, 6));
        printf("%g\n", scaled(&d, 2.5));
    }
    int b[10] = {0}, out[3];
    for (int i = 0; i < 10; i++) put(b, a + i);
    for (int i = 0; i < 10; i++) printf("%d ", b[i]);
    turn(17, out);
    __int128 w = wide(1, -2, 50);
    printf("\n%d %d %d %lx %lx\n", out[0], out[1], out[2], (long)(w >> 64), (long)w);
    return 0;
}
