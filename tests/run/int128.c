// 128-bit integers: arithmetic, shifts, comparison, conversion, passing and returning.
#include <stdio.h>
#include <string.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print(const char *what, u128 value) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void decimal(i128 value) {
    char digits[50];
    int at = sizeof digits - 1;
    u128 rest = value < 0 ? -(u128)value : (u128)value;
    digits[at] = 0;
    do {
        digits[--at] = '0' + (int)(rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) digits[--at] = '-';
    printf("%s\n", digits + at);
}

static i128 power(i128 base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }

static u128 mixed(char a, u128 b, int c, i128 d, double e) { return b * a + (u128)d * c + (u128)e; }

struct wide {
    char tag;
    i128 value;
};

static struct wide make(int n) {
    struct wide w = {(char)n, (i128)n << 100};
    return w;
}

int main(void) {
    i128 one = 1;
    u128 values[] = {0, 1, 2, 10, (u128)1 << 63, (u128)1 << 64, ((u128)1 << 64) - 1, (u128)1 << 127, ~(u128)0,
                     ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL};
    int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            u128 a = values[i], b = values[j];
            print("+", a + b), print("-", a - b), print("*", a * b);
            print("^", (a & b) ^ (a | b));
            printf("%d%d%d %d%d\n", a < b, a == b, a >= b, (i128)a < (i128)b, (i128)a > (i128)b);
            if (b) print("/", a / b), print("%", a % b);
            if (b && !(b == ~(u128)0)) print("s/", (u128)((i128)a / (i128)b)), print("s%", (u128)((i128)a % (i128)b));
        }
        for (int s = 0; s < 128; s += 21) {
            print("<<", values[i] << s), print(">>", values[i] >> s);
            print("a>>", (u128)((i128)values[i] >> s));
        }
    }
    for (int i = 0; i < 80; i += 9) decimal(power(3, i)), decimal(power(-3, i + 1));
    decimal(-(one << 126) * 2);
    decimal((one << 126) - 1 + (one << 126));
    print("mixed", mixed(-3, (u128)7 << 70, 5, -((i128)9 << 66), 1e20));
    struct wide w = make(-5);
    decimal(w.value), printf("%d %zu %zu\n", w.tag, sizeof w, _Alignof(struct wide));
    printf("%.6g %.6g %.6g\n", (double)(u128)~(u128)0, (double)(i128)-1, (double)((i128)1 << 100));
    print("from double", (u128)1e30), decimal((i128)-1e30f);
    printf("%Lg\n", (long double)((u128)1 << 120));
    i128 r;
    printf("%d", __builtin_mul_overflow((i128)1 << 100, (i128)1 << 30, &r));
    printf("%d", __builtin_add_overflow((i128)1 << 126, (i128)1 << 126, &r));
    printf("%d\n", __builtin_sub_overflow((i128)5, (i128)7, &r));
    decimal(r);
    unsigned char bytes[16];
    memcpy(bytes, &values[9], 16);
    for (int i = 0; i < 16; i++) printf("%02x", bytes[i]);
    printf("\n%d\n", (int)(values[9] >> 60) & 0xff);
    return 0;
}
