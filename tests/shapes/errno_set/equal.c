#include <errno.h>

int parse(const char *s) {
    unsigned digit = (unsigned)*s - '0';
    if (digit <= 9) return (int)digit;
    errno = *s ? ERANGE : EINVAL;
    return -1;
}
