// The compiler's builtins.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int sign(int x) {
    if (x > 0) return 1;
    if (x <= 0) return x ? -1 : 0;
    __builtin_unreachable();
}

struct sized { char a[10]; int b; };

int main(void) {
    unsigned values[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x00f0f000u, 12345678u};
    for (unsigned i = 0; i < 7; i++) {
        unsigned v = values[i];
        unsigned long w = (unsigned long)v << 20 | 1ul << 60;
        printf("%d %d %d %d %d ", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v), __builtin_ffs((int)v),
               __builtin_parity(v));
        printf("%d %d %d %d %d ", __builtin_popcountl(w), __builtin_clzl(w), __builtin_ctzl(w), __builtin_ffsl((long)w),
               __builtin_parityll(w));
        printf("%d %d\n", __builtin_clrsb((int)v), __builtin_clrsbll((long long)w));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_ffsll(0));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678),
           (unsigned long long)__builtin_bswap64(0x123456789abcdef0ull));
    printf("%x %x %x %llx\n", __builtin_bitreverse8(0x13), __builtin_bitreverse16(0x1234),
           __builtin_bitreverse32(0x12345678), (unsigned long long)__builtin_bitreverse64(0x12345678ull));
    printf("%x %x %llx\n", __builtin_rotateleft8(0x81, 1), __builtin_rotateleft32(0x80000001u, 4),
           (unsigned long long)__builtin_rotateright64(0x8000000000000001ull, 8));
    int r;
    unsigned u;
    long l;
    unsigned char c;
    printf("%d %d\n", __builtin_add_overflow(2147483647, 1, &r), r);
    printf("%d %d\n", __builtin_sub_overflow(-2147483647, 2, &r), r);
    printf("%d %d\n", __builtin_mul_overflow(65536, 65536, &r), r);
    printf("%d %u\n", __builtin_add_overflow(4294967295u, 1u, &u), u);
    printf("%d %u\n", __builtin_sub_overflow(1, 2, &u), u);
    printf("%d %ld\n", __builtin_mul_overflow(1L << 62, 2, &l), l);
    printf("%d %u\n", __builtin_add_overflow(200, 100, &c), c);
    printf("%d %d\n", __builtin_add_overflow(-5, 10u, &r), r);
    printf("%d %d\n", __builtin_smul_overflow(50000, 50000, &r), __builtin_uaddl_overflow(1, 2, (unsigned long *)&l));
    printf("%d %d\n", __builtin_expect(sign(-7), 1), __builtin_expect(sign(3) == 1, 0));
    printf("%d %d\n", __builtin_constant_p(3), __builtin_types_compatible_p(int, signed));
    struct sized s;
    printf("%zu %zu\n", __builtin_object_size(&s, 0), __builtin_offsetof(struct sized, b));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, 44, 55));
    printf("%d %d\n", __builtin_abs(-3), (int)__builtin_labs(-4L));
    printf("%zu %d\n", __builtin_strlen("hello"), __builtin_memcmp("abc", "abd", 3) < 0);
    char buffer[8];
    __builtin_memset(buffer, 'z', 7);
    buffer[7] = 0;
    __builtin_memcpy(buffer, "ab", 2);
    printf("%s\n", buffer);
    printf("%g %g %d\n", __builtin_fabs(-2.5), __builtin_huge_val(), __builtin_isnan(__builtin_nan("")));
    printf("%d %d %d\n", __builtin_isinf_sign(-__builtin_inf()), __builtin_isless(1.0, 2.0),
           __builtin_isunordered(1.0, __builtin_nan("")));
    printf("%d\n", __builtin_fpclassify(0, 1, 2, 3, 4, 1e-310));
    unsigned carry = 0, low = __builtin_addc(0xffffffffu, 5u, 0, &carry), high = __builtin_addc(1u, 2u, carry, &carry);
    printf("%u %u %u\n", low, high, carry);
    void *aligned = __builtin_assume_aligned(&s, 4);
    printf("%d\n", aligned == &s);
    __builtin_prefetch(&s);
    printf("%d\n", __builtin_frame_address(0) != 0);
    return 0;
}
