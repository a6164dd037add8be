/* Lengths of strings. */

size_t strlen(const char *text) {
    const char *at = text;
    while (*at != 0)
        at++;
    return (size_t)(at - text);
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

size_t __strnlen(const char *text, size_t limit) { return strnlen(text, limit); }
