/* Copying and appending with the size of the destination; the result says how
 * long the whole string would have been. */

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t at = 0;
    while (at + 1 < size && from[at] != 0) {
        to[at] = from[at];
        at++;
    }
    if (size > 0)
        to[at] = 0;
    return at + strlen(from + at);
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t used = strnlen(to, size);
    if (used == size)
        return size + strlen(from);
    return used + strlcpy(to + used, from, size - used);
}

size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t room) {
    if (size > room)
        __chk_fail();
    return strlcpy(to, from, size);
}

size_t __strlcat_chk(char *to, const char *from, size_t size, size_t room) {
    if (size > room)
        __chk_fail();
    return strlcat(to, from, size);
}
