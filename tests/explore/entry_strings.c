// A character looked for in a string: found at two places, or the string ends at three; or
// there is no character.
// entry: match
// param s: str:2
// param t: str:1?
// paths: 6
#include <stddef.h>

int match(const char *s, const char *t) {
    if (t == NULL)
        return -1;
    while (*s) {
        if (*s == *t)
            return 1;
        s++;
    }
    return 0;
}
