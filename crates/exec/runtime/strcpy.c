/* Copying a whole string, also with the checked names of fortified programs,
 * whose last argument is the size of the destination. */

char *strcpy(char *to, const char *from) {
    char *at = to;
    while ((*at = *from) != 0) {
        at++;
        from++;
    }
    return to;
}

char *stpcpy(char *to, const char *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

char *__stpcpy(char *to, const char *from) { return stpcpy(to, from); }

char *__strcpy_chk(char *to, const char *from, size_t size) {
    if (strnlen(from, size) >= size)
        __chk_fail();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
    if (strnlen(from, size) >= size)
        __chk_fail();
    return stpcpy(to, from);
}
