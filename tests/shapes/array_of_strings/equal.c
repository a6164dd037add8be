#include <stdlib.h>
#include <string.h>

char **split(const char *s) {
    int commas = 0;
    for (const char *c = s; *c; c++) commas += *c == ',';
    char **parts = calloc(4, sizeof *parts);
    for (int i = 0; i <= commas; i++) {
        const char *end = s;
        while (*end && *end != ',') end++;
        parts[i] = malloc((size_t)(end - s) + 1);
        char *to = parts[i];
        while (s < end) *to++ = *s++;
        *to = 0;
        s = end + 1;
    }
    return parts;
}
