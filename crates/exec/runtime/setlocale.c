/* The one locale: C, also by its name POSIX. */

static int is_c(const char *name, size_t length) {
    return (length == 1 && name[0] == 'C') || (length == 5 && strncmp(name, "POSIX", 5) == 0);
}

/* The empty name means what the environment asks for. */
static const char *from_environment(int category) {
    static const char *const names[13] = {
        "LC_CTYPE", "LC_NUMERIC", "LC_TIME",    "LC_COLLATE",   "LC_MONETARY",    "LC_MESSAGES",      NULL,
        "LC_PAPER", "LC_NAME",    "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};
    const char *value = getenv("LC_ALL");
    if ((value == NULL || *value == 0) && names[category] != NULL)
        value = getenv(names[category]);
    if (value == NULL || *value == 0)
        value = getenv("LANG");
    return value == NULL || *value == 0 ? "C" : value;
}

/* A name for all categories may be a list "LC_CTYPE=C;LC_TIME=C". */
static int is_known(const char *name) {
    if (strchr(name, '=') == NULL)
        return is_c(name, strlen(name));
    while (*name != 0) {
        const char *value = strchrnul(name, '=');
        const char *end = strchrnul(value, ';');
        if (*value == 0 || !is_c(value + 1, (size_t)(end - value - 1)))
            return 0;
        name = *end == 0 ? end : end + 1;
    }
    return 1;
}

/* Whether the name stands for the C locale in this category (0 to 12, 6: all). */
int __ripple_is_c_locale(int category, const char *name) {
    return is_known(*name == 0 ? from_environment(category) : name);
}

char *setlocale(int category, const char *name) {
    if (category < 0 || category > 12) {
        errno = EINVAL;
        return NULL;
    }
    if (name != NULL && !__ripple_is_c_locale(category, name)) {
        errno = ENOENT;
        return NULL;
    }
    return "C";
}
