// printf of integers: every flag, width, precision and length.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    int values[] = {0, 1, -1, 42, -42, 123456, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 8; i++) {
        int v = values[i];
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+08d] [% 08d] [%08.3d]\n", v, v, v, v,
               v, v, v, v, v, v, v, v);
        printf("[%u] [%x] [%X] [%o] [%#x] [%#X] [%#o] [%#8x] [%#-8x] [%#08x] [%#.5x] [%#.5o]\n", v, v, v, v, v, v, v,
               v, v, v, v, v);
        printf("[%hhd] [%hd] [%ld] [%lld] [%jd] [%zd] [%td]\n", v, v, (long)v, (long long)v, (intmax_t)v, (ptrdiff_t)v,
               (ptrdiff_t)v);
        printf("[%hhu] [%hu] [%lu] [%llx] [%ju] [%zx] [%to]\n", v, v, (unsigned long)v, (unsigned long long)v,
               (uintmax_t)v, (size_t)v, (ptrdiff_t)v);
        printf("[%*d] [%-*d] [%.*d] [%*.*d] [%*d]\n", 7, v, 7, v, 4, v, 9, 4, v, -7, v);
    }
    printf("[%.0d] [%.0x] [%#.0o] [%.0d] [%.d]\n", 0, 0, 0, 1, 0);
    printf("[%c] [%3c] [%-3c] [%%] [%5%]\n", 'a', 'b', 'c');
    printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s] [%.0s] [%.10s]\n", "text", "text", "text", "text", "text", "text",
           "text");
    printf("[%p] [%p] [%10p] [%-10p]\n", (void *)0, (void *)0x1234, (void *)0xab, (void *)0);
    printf("[%s]\n", (char *)0 ? "" : "(null)");
    printf("[%2$s %1$s] [%1$-5s|%2$5s] [%3$*4$d]\n", "one", "two", 3, 6);
    int n = -1;
    printf("abc%ndef\n", &n);
    printf("%d\n", n);
    short h;
    long long ll;
    signed char hh;
    printf("%hn%lln12345%hhn\n", &h, &ll, &hh);
    printf("%d %lld %d\n", h, ll, hh);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIuPTR "\n", (int8_t)-3, (uint16_t)65535,
           (uint32_t)0xdeadbeef, INT64_MIN, (uintptr_t)99);
    printf("%'d %'u %'ld\n", 1234567, 1234567u, -9876543210L);
    int count = printf("%d%s\n", 12, "345");
    printf("%d\n", count);
    char buffer[10];
    int needed = snprintf(buffer, sizeof buffer, "%s-%d", "abcdef", 12345);
    printf("%d [%s]\n", needed, buffer);
    needed = snprintf(NULL, 0, "%08x", 0xabc);
    printf("%d\n", needed);
    printf("%lc%ls|%5.2ls|\n", L'w', L"ide", L"wide");
    printf("%-05d|%+ d|% +d\n", 5, 6, 7);
    return 0;
}
