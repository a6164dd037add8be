/* Copies of strings in fresh memory. */

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *strndup(const char *text, size_t limit) {
    size_t length = strnlen(text, limit);
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    copy[length] = 0;
    return memcpy(copy, text, length);
}

char *__strdup(const char *text) { return strdup(text); }

char *__strndup(const char *text, size_t limit) { return strndup(text, limit); }
