// Structures of 1 to 40 bytes by value: passed, returned, through pointers, beside other arguments.
#include <stdio.h>
#include <string.h>

#define SIZED(N)                                                                                      \
    struct s##N {                                                                                     \
        unsigned char b[N];                                                                           \
    };                                                                                                \
    static struct s##N bump##N(int before, struct s##N s, double between, struct s##N t, long after) {\
        for (int i = 0; i < N; i++) s.b[i] += t.b[N - 1 - i] + before + (int)between + (int)after;    \
        t.b[0] = 99;                                                                                  \
        return s;                                                                                     \
    }                                                                                                 \
    static void test##N(void) {                                                                       \
        struct s##N a, b;                                                                             \
        for (int i = 0; i < N; i++) a.b[i] = i, b.b[i] = 3 * i;                                       \
        struct s##N (*volatile f)(int, struct s##N, double, struct s##N, long) = bump##N;             \
        struct s##N c = bump##N(1, a, 2.5, b, 3), d = f(4, b, 5.5, c, 6);                             \
        unsigned sum = 0;                                                                             \
        for (int i = 0; i < N; i++) sum = sum * 31 + c.b[i] * 7 + d.b[i] + a.b[i] + b.b[i];           \
        printf("%d %zu %u\n", N, sizeof a, sum);                                                      \
    }

#define EACH(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) \
    M(19) M(20) M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28) M(29) M(30) M(31) M(32) M(33) M(34) M(35) M(36)    \
    M(37) M(38) M(39) M(40)
EACH(SIZED)

int main(void) {
#define CALL(N) test##N();
    EACH(CALL)
    return 0;
}
