// Inline assembly: every condition in cmov, set and flag outputs.
#include <stdint.h>
#include <stdio.h>

static const int32_t values[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, -128, 255};

#define CONDITIONS(USE)                                                                        \
    USE(o) USE(no) USE(b) USE(c) USE(nae) USE(ae) USE(nc) USE(nb) USE(e) USE(z) USE(ne)        \
    USE(nz) USE(be) USE(na) USE(a) USE(nbe) USE(s) USE(ns) USE(p) USE(pe) USE(np) USE(po)      \
    USE(l) USE(nge) USE(ge) USE(nl) USE(le) USE(ng) USE(g) USE(nle)

#define CHECK(CONDITION)                                                                       \
    {                                                                                          \
        uint64_t moved = 0xffffffff00000000u | 10;                                             \
        uint8_t set;                                                                           \
        uint8_t stored = 7;                                                                    \
        __asm__("cmpl %4, %3\n\t"                                                              \
                "cmov" #CONDITION "l %5, %k0\n\t"                                              \
                "set" #CONDITION " %1; set" #CONDITION " %2"                                   \
                : "+r"(moved), "=q"(set), "=m"(stored)                                         \
                : "r"(a), "r"(b), "r"(20)                                                      \
                : "cc");                                                                       \
        printf("%llx%d%d ", (unsigned long long)moved, set, stored);                           \
    }

static uint32_t pick(uint32_t a, uint32_t b, uint64_t x, uint64_t y) {
    __asm__("cmp %1, %2\n"
            "cmova %3, %0\n"
            : "+r"(x)
            : "r"(a), "r"(b), "r"(y));
    return (uint32_t)x;
}

static int is_less(int a, int b) {
    int less;
    __asm__("cmp %2, %1" : "=@ccl"(less) : "r"(a), "g"(b));
    return less;
}

static int in_range(unsigned x, unsigned low, unsigned high) {
    _Bool below, above;
    __asm__("cmpl %k2, %k1" : "=@ccb"(below) : "r"(x), "r"(low));
    __asm__("cmpl %[high], %[x]" : "=@ccnbe"(above) : [x] "r"(x), [high] "rm"(high));
    return !below && !above;
}

static unsigned char add_overflows(int64_t a, int64_t b, int64_t *sum) {
    unsigned char overflow;
    __asm__("addq %3, %0; seto %1" : "=r"(*sum), "=qm"(overflow) : "0"(a), "er"(b) : "cc");
    return overflow;
}

int main(void) {
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            int32_t a = values[i], b = values[j];
            CONDITIONS(CHECK)
            printf("\n%d %u %d\n", is_less(a, b), pick((uint32_t)a, (uint32_t)b, 1, 2),
                   in_range((uint32_t)a, (uint32_t)b, 200));
        }
    }
    int64_t sum;
    int overflow = add_overflows(INT64_MAX, 1, &sum);
    printf("%d %lld\n", overflow, (long long)sum);
    overflow = add_overflows(-3, 5, &sum);
    printf("%d %lld %d\n", overflow, (long long)sum, is_less(4, 5));
    return 0;
}
