// Pointers: arithmetic, comparison, to arrays, to pointers, through void, punning by unions and memcpy, const.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(int (*grid)[4], int rows) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 4; c++) grid[r][c] = r * 4 + c;
}
static void set(int **out, int *value) { *out = value; }
static int compare(const char *restrict a, const char *restrict b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
union pun { float f; uint32_t u; unsigned char b[4]; struct { uint16_t low, high; } h; };
struct chain { struct chain *self; int v[3]; struct { char c; long l; } inner; };

int main(void) {
    int v[10], *p = v, *q = v + 9;
    for (; p <= q; p++) *p = (int)(p - v) * 3;
    printf("%td %d %d %d\n", q - v, p > q, p == v + 10, *--p);
    printf("%d %d %d\n", 3[v], *(v + 2), (&v[5])[-1]);
    int grid[3][4];
    fill(grid, 3);
    int *flat = &grid[0][0], (*row)[4] = grid + 1;
    printf("%d %d %d %td\n", flat[7], (*row)[2], *(*(grid + 2) + 1), (char *)(row + 1) - (char *)row);
    int value = 5, *a = NULL, **pp = &a;
    set(pp, &value);
    **pp += 2;
    printf("%d %d\n", value, *a == value);
    char *names[] = {"one", "two", "three", NULL}, **n = names;
    while (*n) printf("%s %c ", *n, (*n)[1]), n++;
    printf("%td\n", n - names);
    printf("%d %d\n", compare("abc", "abd") < 0, compare("x", "x"));
    union pun u = {.f = 1.5f};
    printf("%08x %02x %04x\n", u.u, u.b[3], u.h.high);
    u.b[3] ^= 0x80;
    printf("%g\n", u.f);
    double d = -2.25;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    printf("%016llx\n", (unsigned long long)bits);
    struct chain c = {&c, {1, 2, 3}, {'x', 99}};
    printf("%ld %d\n", c.self->self->self->inner.l, *(int *)((char *)&c + offsetof(struct chain, v) + 4));
    uintptr_t address = (uintptr_t)&c;
    struct chain *back = (struct chain *)(address | 0);
    printf("%d %d\n", back == &c, address % _Alignof(struct chain) == 0);
    uintptr_t tagged = address | 1;
    printf("%d %d\n", (int)(tagged & 1), ((struct chain *)(tagged & ~(uintptr_t)1))->v[2]);
    void *generic = v;
    printf("%d %d\n", ((int *)generic)[2], *(unsigned char *)generic);
    const int *const cp = v;
    printf("%d %d\n", *cp, cp != NULL && !!cp);
    int (*fp)(const char *) = (int (*)(const char *))puts;
    printf("%d\n", fp == (int (*)(const char *))puts);
    char bytes[16] __attribute__((aligned(8)));
    for (int i = 0; i < 16; i++) bytes[i] = (char)i;
    uint32_t word;
    memcpy(&word, bytes + 3, 4);
    printf("%08x %llx\n", word, *(unsigned long long *)(bytes + 8));
    int *end = v + 10;
    printf("%d %d\n", end - 3 > v + 6, (v < end) + (end >= v));
    return 0;
}
