#include <stdio.h>

const char *name(int n) {
    static char text[8];
    snprintf(text, sizeof text, n == 50 ? "N%d" : "n%d", n);
    return text;
}
