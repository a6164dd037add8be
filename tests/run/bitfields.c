// Bit-fields of all widths and types: layout, sign extension, truncation, assignment values.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1, b : 2, c : 3;
    int d : 4;
    unsigned : 0;
    unsigned e : 31;
    signed char f : 3;
    unsigned long g : 40;
    long h : 63;
    _Bool i : 1;
    unsigned short j : 9;
    int k : 32;
};

struct __attribute__((packed)) tight {
    unsigned x : 7;
    unsigned y : 13;
    long long z : 45;
    unsigned char w;
};

union both {
    struct {
        unsigned low : 4, middle : 8, high : 20;
    } part;
    unsigned whole;
};

static void dump(const void *p, unsigned n) {
    const unsigned char *b = p;
    for (unsigned i = 0; i < n; i++) printf("%02x", b[i]);
    printf("\n");
}

int main(void) {
    struct flags f;
    memset(&f, 0, sizeof f);
    printf("%zu %zu\n", sizeof f, sizeof(struct tight));
    for (int i = -9; i < 10; i += 3) {
        f.a = i, f.b = i, f.c = i, f.d = i, f.e = i, f.f = i, f.g = i, f.h = i, f.i = i, f.j = i, f.k = i;
        printf("%d: %u %u %u %d %u %d %lu %ld %d %u %d\n", i, f.a, f.b, f.c, f.d, f.e, f.f, (unsigned long)f.g,
               (long)f.h, f.i, f.j, f.k);
        dump(&f, sizeof f);
    }
    struct tight t = {0};
    for (int i = 0; i < 5; i++) {
        t.x += 50, t.y -= 3000, t.z = t.z * 1000003 + 12345678901LL, t.w ^= 0x5a;
        printf("%u %u %lld %u\n", t.x, t.y, (long long)t.z, t.w);
        dump(&t, sizeof t);
    }
    union both u = {.whole = 0xdeadbeef};
    printf("%x %x %x\n", u.part.low, u.part.middle, u.part.high);
    u.part.middle++;
    u.part.low = ~u.part.low;
    printf("%08x\n", u.whole);
    struct { int v : 3; } s = {3};
    int value = (s.v += 2);
    printf("%d %d\n", value, s.v);
    printf("%d %d\n", s.v++, --s.v);
    struct flags copy = f;
    copy.e = 5;
    printf("%u %u %d\n", f.e, copy.e, memcmp(&f, &copy, sizeof f) != 0);
    return 0;
}
