char *join(char *to, const char *a, const char *b) {
    char *end = to;
    while (*a) *end++ = *a++;
    *end++ = '/';
    while ((*end = *b)) end++, b++;
    return to;
}
