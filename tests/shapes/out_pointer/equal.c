#include <string.h>

int find(char *s, char c, char **where) {
    size_t i = 0, length = strlen(s);
    while (i < length && s[i] != c) ++i;
    if (i == length) return 0;
    *where = s + i;
    return 1;
}
