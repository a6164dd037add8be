// entry: parse
// flags: --param s=text:2
#include <errno.h>

int parse(const char *s) {
    if (!*s) {
        errno = EINVAL;
        return -1;
    }
    if (*s < '0' || *s > '9') {
        errno = ERANGE;
        return -1;
    }
    return *s - '0';
}
