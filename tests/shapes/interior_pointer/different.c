const char *skip(const char *s) {
    const char *start = s;
    while (*s == ' ') s++;
    return *s ? s : start;
}
