#include <string.h>

char *join(char *to, const char *a, const char *b) {
    strcpy(to, a);
    if (!*a || a[strlen(a) - 1] != '/') strcat(to, "/");
    strcat(to, b);
    return to;
}
