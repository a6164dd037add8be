/* The environment as the program sees it: a vector that the machine sets at
 * the start and that the program may replace. */

char **__environ;
extern char **environ ALIAS_OF(__environ);
extern char **_environ ALIAS_OF(__environ);

/* The entry of a name, or NULL. */
char **__ripple_environ_entry(const char *name, size_t length) {
    if (__environ == NULL)
        return NULL;
    for (char **at = __environ; *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return at;
    return NULL;
}

char *getenv(const char *name) {
    size_t length = strlen(name);
    char **entry = length == 0 ? NULL : __ripple_environ_entry(name, length);
    return entry == NULL ? NULL : *entry + length + 1;
}

char *secure_getenv(const char *name) { return getenv(name); }

char *__secure_getenv(const char *name) { return getenv(name); }
