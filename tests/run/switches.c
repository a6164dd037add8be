// switch: dense, sparse, ranges, fall through, negative, 64-bit, nested, in loops, on characters.
#include <limits.h>
#include <stdio.h>

static int dense(int x) {
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    case 2:
    case 3: return 13;
    case 4: x += 100; /* fall through */
    case 5: return x;
    default: return -1;
    case 7: return 17;
    }
}

static const char *sparse(long x) {
    switch (x) {
    case LONG_MIN: return "min";
    case -1000000000000: return "minus";
    case -1: return "-1";
    case 0: return "0";
    case 0x100000000: return "2^32";
    case 0x100000001: return "2^32+1";
    case LONG_MAX: return "max";
    }
    return "other";
}

static char kind(unsigned char c) {
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case ' ': case '\t' ... '\r': return 's';
    case 0x80 ... 0xff: return 'h';
    default: return 'p';
    }
}

static int duff(const int *v, int n) {
    int s = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { s += *v++;
    case 3: s += *v++;
    case 2: s += *v++;
    case 1: s += *v++;
            } while (--rounds > 0);
    }
    return s;
}

static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        default: break;
        case 2: return 12;
        }
        break;
    case 2: {
        int r = 0;
        for (int i = 0;; i++) {
            switch (i) {
            case 3: continue;
            case 6: break;
            default: r += i; continue;
            }
            break;
        }
        return r;
    }
    }
    return 0;
}

static int on_char(char c) {
    switch (c) {
    case '\xff': return 1;
    case 'a': return 2;
    default: return 3;
    }
}

int main(void) {
    for (int i = -2; i < 10; i++) printf("%d ", dense(i));
    printf("%d %d\n", dense(INT_MAX), dense(INT_MIN));
    long xs[] = {LONG_MIN, -1000000000000, -1, 0, 1, 0x100000000, 0x100000001, LONG_MAX, 0xffffffff};
    for (int i = 0; i < 9; i++) printf("%s ", sparse(xs[i]));
    printf("\n");
    for (int i = 0; i < 256; i++) printf("%c", kind((unsigned char)i));
    printf("\n");
    int v[20];
    for (int i = 0; i < 20; i++) v[i] = i * i;
    for (int n = 1; n < 20; n += 3) printf("%d ", duff(v, n));
    printf("\n%d %d %d %d\n", nested(1, 1), nested(1, 2), nested(1, 3), nested(2, 0));
    printf("%d %d %d\n", on_char((char)255), on_char('a'), on_char('b'));
    enum { RED, GREEN = 5, BLUE } colour = BLUE;
    switch (colour) {
    case RED: printf("red\n"); break;
    case GREEN: printf("green\n"); break;
    case BLUE: printf("blue\n");
    }
    switch (3) { int unreached; case 3: unreached = 4; printf("%d\n", unreached); }
    switch ((_Bool)(v[1] > 0)) { case 1: printf("true\n"); }
    return 0;
}
