/* Comparing strings without regard to the case of the letters A to Z. */

static int lower(char c) {
    int byte = (unsigned char)c;
    return byte + ((unsigned)(byte - 'A') < 26) * 32;
}

int strcasecmp(const char *left, const char *right) {
    while (lower(*left) == lower(*right) && *right != 0) {
        left++;
        right++;
    }
    return lower(*left) - lower(*right);
}

int strncasecmp(const char *left, const char *right, size_t limit) {
    while (limit > 0 && lower(*left) == lower(*right) && *right != 0) {
        left++;
        right++;
        limit--;
    }
    return limit == 0 ? 0 : lower(*left) - lower(*right);
}

int __strcasecmp(const char *left, const char *right) { return strcasecmp(left, right); }

int strcasecmp_l(const char *left, const char *right, void *locale) {
    (void)locale;
    return strcasecmp(left, right);
}

int strncasecmp_l(const char *left, const char *right, size_t limit, void *locale) {
    (void)locale;
    return strncasecmp(left, right, limit);
}
