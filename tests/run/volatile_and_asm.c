// volatile accesses and inline assembly that only orders or hides values.
#include <stdio.h>

static volatile int device[4];
static volatile unsigned char status;

static int poll(void) {
    status = 0x80;
    while (!(status & 1)) status = (unsigned char)(status >> 1);
    return status;
}

static int hide(int x) {
    __asm__ volatile("" : "+r"(x));
    return x;
}

static void *launder(void *p) {
    __asm__("" : "=r"(p) : "0"(p));
    return p;
}

int main(void) {
    for (int i = 0; i < 4; i++) device[i] = i * 3;
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += device[i];
    __asm__ volatile("" ::: "memory");
    printf("%d %d\n", sum, poll());
    volatile double d = 0.1;
    d = d + d * d;
    printf("%.17g\n", d);
    volatile struct { int a; char b[3]; } s = {1, {2, 3, 4}};
    s.a++;
    s.b[2] = (char)s.a;
    printf("%d %d\n", s.a, s.b[2]);
    int value = hide(41) + 1;
    int *p = launder(&value);
    *p += 1;
    __asm__ volatile("nop");
    __asm__ volatile("" : : "r"(p), "m"(*p) : "memory");
    printf("%d\n", value);
    volatile int *volatile pp = &device[1];
    *pp = 77;
    printf("%d\n", device[1]);
    return 0;
}
