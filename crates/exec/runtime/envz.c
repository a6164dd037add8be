/* Vectors of "name=value" in one block, on argz. */

int argz_add(char **argz, size_t *length, const char *text);
char *argz_next(const char *argz, size_t length, const char *entry);
void argz_delete(char **argz, size_t *length, char *entry);

char *envz_entry(const char *envz, size_t length, const char *name) {
    size_t size = strcspn(name, "=");
    for (char *entry = NULL; (entry = argz_next(envz, length, entry)) != NULL;)
        if (strncmp(entry, name, size) == 0 && (entry[size] == 0 || entry[size] == '='))
            return entry;
    return NULL;
}

char *envz_get(const char *envz, size_t length, const char *name) {
    char *entry = envz_entry(envz, length, name);
    char *equals = entry == NULL ? NULL : strchr(entry, '=');
    return equals == NULL ? NULL : equals + 1;
}

void envz_remove(char **envz, size_t *length, const char *name) {
    argz_delete(envz, length, envz_entry(*envz, *length, name));
}

/* Without a value the name stands alone. */
int envz_add(char **envz, size_t *length, const char *name, const char *value) {
    envz_remove(envz, length, name);
    if (value == NULL)
        return argz_add(envz, length, name);
    size_t size = strlen(name);
    char *text = malloc(size + strlen(value) + 2);
    if (text == NULL)
        return ENOMEM;
    memcpy(text, name, size);
    text[size] = '=';
    strcpy(text + size + 1, value);
    int error = argz_add(envz, length, text);
    free(text);
    return error;
}

int envz_merge(char **envz, size_t *length, const char *other, size_t other_length, int overrides) {
    int error = 0;
    for (char *entry = NULL; error == 0 && (entry = argz_next(other, other_length, entry)) != NULL;) {
        char *old = envz_entry(*envz, *length, entry);
        if (old != NULL && !overrides)
            continue;
        argz_delete(envz, length, old);
        error = argz_add(envz, length, entry);
    }
    return error;
}

/* Takes out the names without a value. */
void envz_strip(char **envz, size_t *length) {
    for (char *entry = *envz; entry != NULL && entry < *envz + *length;) {
        if (strchr(entry, '=') != NULL)
            entry += strlen(entry) + 1;
        else
            argz_delete(envz, length, entry);
        if (*length == 0)
            return;
    }
}
