/* The other names of strtod, strtof and strtold. The locale is always "C". */

double strtod_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtod(text, end);
}

double __strtod_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtod(text, end);
}

double __strtod_internal(const char *text, char **end, int group) {
    (void)group;
    return strtod(text, end);
}

double strtof64(const char *text, char **end) { return strtod(text, end); }

double strtof32x(const char *text, char **end) { return strtod(text, end); }

float strtof_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtof(text, end);
}

float __strtof_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtof(text, end);
}

float __strtof_internal(const char *text, char **end, int group) {
    (void)group;
    return strtof(text, end);
}

float strtof32(const char *text, char **end) { return strtof(text, end); }

long double strtold_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtold(text, end);
}

long double __strtold_l(const char *text, char **end, void *locale) {
    (void)locale;
    return strtold(text, end);
}

long double __strtold_internal(const char *text, char **end, int group) {
    (void)group;
    return strtold(text, end);
}

long double strtof64x(const char *text, char **end) { return strtold(text, end); }
