/* Changing the environment. The vector is copied when it must grow. */

extern char **__environ;
char **__ripple_environ_entry(const char *name, size_t length);

/* The vector made here, to tell it from one that the program set. */
static char **own;

static int is_name(const char *name) {
    return name != NULL && *name != 0 && strchr(name, '=') == NULL;
}

static int append(char *text) {
    size_t count = 0;
    while (__environ != NULL && __environ[count] != NULL)
        count++;
    char **grown = realloc(__environ == own ? own : NULL, (count + 2) * sizeof(char *));
    if (grown == NULL)
        return -1;
    if (__environ != own && count > 0)
        memcpy(grown, __environ, count * sizeof(char *));
    grown[count] = text;
    grown[count + 1] = NULL;
    own = __environ = grown;
    return 0;
}

static int put(char *text, size_t length) {
    char **entry = __ripple_environ_entry(text, length);
    if (entry == NULL)
        return append(text);
    *entry = text;
    return 0;
}

int setenv(const char *name, const char *value, int replace) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t length = strlen(name);
    if (!replace && __ripple_environ_entry(name, length) != NULL)
        return 0;
    size_t size = strlen(value) + 1;
    char *text = malloc(length + 1 + size);
    if (text == NULL)
        return -1;
    memcpy(text, name, length);
    text[length] = '=';
    memcpy(text + length + 1, value, size);
    return put(text, length);
}

int unsetenv(const char *name) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t length = strlen(name);
    for (char **entry; (entry = __ripple_environ_entry(name, length)) != NULL;)
        for (char **at = entry; (*at = at[1]) != NULL;)
            at++;
    return 0;
}

/* The text itself becomes the entry; without '=' the name is removed. */
int putenv(char *text) {
    char *equals = strchr(text, '=');
    return equals == NULL ? unsetenv(text) : put(text, (size_t)(equals - text));
}

int clearenv(void) {
    if (own != NULL && __environ == own)
        free(own);
    own = NULL;
    __environ = NULL;
    return 0;
}
