// A switch over 128 bits, and integer powers of every float type.
#include <stdio.h>

static const char *name(__int128 x) {
    switch (x) {
    case 0: return "zero";
    case 1: return "one";
    case -1: return "minus one";
    case (__int128)1 << 64: return "two to the 64";
    case (__int128)1 << 100: return "two to the 100";
    default: return "another";
    }
}

static int counted(unsigned __int128 x) {
    int steps = 0;
    for (;;) {
        switch (x) {
        case 0: return steps;
        case (unsigned __int128)5 << 70: x >>= 40; break;
        default: x /= 3;
        }
        steps++;
    }
}

int main(void) {
    __int128 values[] = {0, 1, -1, (__int128)1 << 64, (__int128)1 << 100, 2, (__int128)-1 << 64};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        puts(name(values[i]));
    printf("%d %d\n", counted((unsigned __int128)5 << 70), counted(-1));
    for (int n = -4; n <= 4; n++)
        printf("%.9g %.17g %.21Lg\n", __builtin_powif(1.1f, n), __builtin_powi(1.1, n), __builtin_powil(1.1L, n));
    return 0;
}
