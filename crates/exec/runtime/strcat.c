/* Appending strings, also with the checked names of fortified programs. */

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t limit) {
    char *at = to + strlen(to);
    while (limit > 0 && *from != 0) {
        *at++ = *from++;
        limit--;
    }
    *at = 0;
    return to;
}

char *__strcat_chk(char *to, const char *from, size_t size) {
    size_t used = strnlen(to, size);
    if (strnlen(from, size - used) >= size - used)
        __chk_fail();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t limit, size_t size) {
    size_t used = strnlen(to, size);
    size_t room = size - used;
    if (strnlen(from, limit < room ? limit : room) >= room)
        __chk_fail();
    return strncat(to, from, limit);
}
