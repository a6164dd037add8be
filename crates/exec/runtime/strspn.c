/* Spans of bytes that are, or are not, of a set. */

/* Without branches on the byte, so that its membership is one condition. */
static int is_in(char byte, const char *set) {
    int found = 0;
    for (; *set != 0; set++)
        found |= *set == byte;
    return found;
}

size_t strspn(const char *text, const char *set) {
    size_t at = 0;
    while (text[at] != 0 && is_in(text[at], set))
        at++;
    return at;
}

size_t strcspn(const char *text, const char *set) {
    size_t at = 0;
    while (text[at] != 0 && !is_in(text[at], set))
        at++;
    return at;
}

char *strpbrk(const char *text, const char *set) {
    text += strcspn(text, set);
    return *text == 0 ? NULL : (char *)text;
}
