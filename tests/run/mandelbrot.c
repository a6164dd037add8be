// The Mandelbrot set as text, in double and in fixed point.
#include <stdio.h>

static int escape(double cr, double ci) {
    double r = 0, i = 0;
    for (int n = 0; n < 50; n++) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci, r = t;
        if (r * r + i * i > 4) return n;
    }
    return 50;
}

static int fixed(long cr, long ci) {
    long r = 0, i = 0;
    for (int n = 0; n < 50; n++) {
        long t = (r * r - i * i >> 28) + cr;
        i = (2 * r * i >> 28) + ci, r = t;
        if (r * r + i * i >> 28 > 4L << 28) return n;
    }
    return 50;
}

int main(void) {
    int same = 0, sum = 0;
    for (int y = -12; y <= 12; y++) {
        for (int x = -40; x < 20; x++) {
            int a = escape(x / 20.0, y / 10.0), b = fixed((long)x * (1L << 28) / 20, (long)y * (1L << 28) / 10);
            same += a == b, sum += a;
            printf("%c", " .:-=+*#%@"[a == 50 ? 9 : a % 9]);
        }
        printf("\n");
    }
    printf("%d %d\n", same, sum);
    return 0;
}
