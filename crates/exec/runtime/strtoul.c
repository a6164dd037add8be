/* Unsigned integers from text; a minus sign negates in the unsigned type. */

unsigned long __ripple_strtox(const char *text, char **end, int base, int binary, int *status);

static unsigned long clamp(unsigned long value, int status) {
    if ((status & 2) != 0) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return status & 1 ? -value : value;
}

unsigned long strtoul(const char *text, char **end, int base) {
    int status;
    unsigned long value = __ripple_strtox(text, end, base, 0, &status);
    return clamp(value, status);
}

unsigned long long strtoull(const char *text, char **end, int base) {
    return strtoul(text, end, base);
}

uintmax_t strtoumax(const char *text, char **end, int base) { return strtoul(text, end, base); }

unsigned long long strtouq(const char *text, char **end, int base) {
    return strtoul(text, end, base);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
    int status;
    unsigned long value = __ripple_strtox(text, end, base, 1, &status);
    return clamp(value, status);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
    return __isoc23_strtoul(text, end, base);
}

uintmax_t __isoc23_strtoumax(const char *text, char **end, int base) {
    return __isoc23_strtoul(text, end, base);
}

unsigned long strtoul_l(const char *text, char **end, int base, void *locale) {
    (void)locale;
    return strtoul(text, end, base);
}

unsigned long long strtoull_l(const char *text, char **end, int base, void *locale) {
    (void)locale;
    return strtoul(text, end, base);
}
