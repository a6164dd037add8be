#include <stdio.h>
#include <stdlib.h>

char *label(unsigned n) {
    char *text = malloc(8);
    if (text) snprintf(text, 8, n == 7 ? "item_%u" : "item-%u", n);
    return text;
}
