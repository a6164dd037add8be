// entry: name
// flags: --param n=int:0..99
#include <stdio.h>

const char *name(int n) {
    static char text[8];
    snprintf(text, sizeof text, "n%d", n);
    return text;
}
