/* Collation in the C locale: the order of the bytes. */

int strcoll(const char *left, const char *right) { return strcmp(left, right); }

int strcoll_l(const char *left, const char *right, void *locale) {
    (void)locale;
    return strcmp(left, right);
}

int __strcoll_l(const char *left, const char *right, void *locale) {
    return strcoll_l(left, right, locale);
}

size_t strxfrm(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0)
        memcpy(to, from, length < size ? length + 1 : size);
    return length;
}

size_t strxfrm_l(char *to, const char *from, size_t size, void *locale) {
    (void)locale;
    return strxfrm(to, from, size);
}
