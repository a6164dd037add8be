// entry: split
// flags: --param s=text:=2
#include <stdlib.h>
#include <string.h>

/* The parts between commas; a null pointer ends them. */
char **split(const char *s) {
    char **parts = calloc(4, sizeof *parts);
    int count = 0;
    for (;;) {
        size_t length = strcspn(s, ",");
        parts[count] = malloc(length + 1);
        memcpy(parts[count], s, length);
        parts[count++][length] = 0;
        if (!s[length]) return parts;
        s += length + 1;
    }
}
