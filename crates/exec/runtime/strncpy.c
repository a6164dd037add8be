/* Copying at most `count` bytes of a string, padded with zeros to `count`. */

char *stpncpy(char *to, const char *from, size_t count) {
    size_t at = 0;
    while (at < count && from[at] != 0) {
        to[at] = from[at];
        at++;
    }
    char *end = to + at;
    while (at < count)
        to[at++] = 0;
    return end;
}

char *__stpncpy(char *to, const char *from, size_t count) { return stpncpy(to, from, count); }

char *strncpy(char *to, const char *from, size_t count) {
    stpncpy(to, from, count);
    return to;
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return stpncpy(to, from, count);
}
