/* Translation in the C locale: the message itself. */

char *gettext(const char *message) { return (char *)message; }

char *dgettext(const char *domain, const char *message) {
    (void)domain;
    return (char *)message;
}

char *dcgettext(const char *domain, const char *message, int category) {
    (void)domain;
    (void)category;
    return (char *)message;
}

char *__dcgettext(const char *domain, const char *message, int category) {
    return dcgettext(domain, message, category);
}

char *ngettext(const char *one, const char *many, unsigned long count) {
    return (char *)(count == 1 ? one : many);
}

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count) {
    (void)domain;
    return ngettext(one, many, count);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count,
                 int category) {
    (void)domain;
    (void)category;
    return ngettext(one, many, count);
}
