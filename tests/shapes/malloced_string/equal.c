#include <stdlib.h>
#include <string.h>

char *label(unsigned n) {
    char text[] = "item-?";
    text[5] = (char)('0' + n);
    char *copy = malloc(sizeof text);
    if (copy) memcpy(copy, text, sizeof text);
    return copy;
}
