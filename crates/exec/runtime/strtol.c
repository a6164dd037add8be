/* Signed integers from text. */

unsigned long __ripple_strtox(const char *text, char **end, int base, int binary, int *status);

static long clamp(unsigned long value, int status) {
    if (status == 0)
        return (long)value;
    if (status == 1)
        return -(long)value;
    unsigned long limit = (unsigned long)LONG_MAX + (status & 1);
    if ((status & 2) != 0 || value > limit) {
        errno = ERANGE;
        return status & 1 ? LONG_MIN : LONG_MAX;
    }
    return (long)(status & 1 ? -value : value);
}

long strtol(const char *text, char **end, int base) {
    int status;
    unsigned long value = __ripple_strtox(text, end, base, 0, &status);
    return clamp(value, status);
}

long long strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }

intmax_t strtoimax(const char *text, char **end, int base) { return strtol(text, end, base); }

long long strtoq(const char *text, char **end, int base) { return strtol(text, end, base); }

long __isoc23_strtol(const char *text, char **end, int base) {
    int status;
    unsigned long value = __ripple_strtox(text, end, base, 1, &status);
    return clamp(value, status);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
    return __isoc23_strtol(text, end, base);
}

intmax_t __isoc23_strtoimax(const char *text, char **end, int base) {
    return __isoc23_strtol(text, end, base);
}

long strtol_l(const char *text, char **end, int base, void *locale) {
    (void)locale;
    return strtol(text, end, base);
}

long long strtoll_l(const char *text, char **end, int base, void *locale) {
    (void)locale;
    return strtol(text, end, base);
}
