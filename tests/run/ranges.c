// limits.h, float.h and stdint.h as the compiler sees them.
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

struct padded { char a; double b; char c; short d; int e; };

int main(void) {
    printf("%d %d %d %d %d\n", CHAR_BIT, SCHAR_MIN, CHAR_MAX, SHRT_MIN, USHRT_MAX);
    printf("%d %d %u %ld %lu %lld %llu\n", INT_MIN, INT_MAX, UINT_MAX, LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("%g %g %g %d %d %d\n", FLT_MAX, FLT_MIN, FLT_EPSILON, FLT_DIG, DBL_DIG, LDBL_DIG);
    printf("%.17g %.17g %.17g %d\n", DBL_MAX, DBL_MIN, DBL_EPSILON, DBL_MANT_DIG);
    printf("%d %d %d\n", FLT_ROUNDS, FLT_EVAL_METHOD, FLT_RADIX);
    printf("%zu %zu %zu\n", SIZE_MAX, (size_t)PTRDIFF_MAX, sizeof(max_align_t));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct padded), offsetof(struct padded, b), offsetof(struct padded, c),
           offsetof(struct padded, d), offsetof(struct padded, e));
    printf("%zu %zu %zu\n", _Alignof(double), _Alignof(long double), _Alignof(struct padded));
    _Alignas(64) char aligned[3];
    printf("%d %d\n", (uintptr_t)aligned % 64 == 0, WCHAR_MAX);
    printf("%zu %zu %zu\n", sizeof(intmax_t), sizeof(int_fast16_t), sizeof(int_least8_t));
    printf("%s %d %s\n", __func__, __LINE__ > 0, __FILE__[0] ? "file" : "");
    _Static_assert(sizeof(int) == 4, "int");
    return 0;
}
