// entry: label
// flags: --param n=int:0..9
#include <stdio.h>
#include <stdlib.h>

char *label(unsigned n) {
    char *text = malloc(8);
    if (text) snprintf(text, 8, "item-%u", n);
    return text;
}
