/* Vectors of strings in one block, each ended by a zero byte. Functions that
 * grow the block return ENOMEM or 0. */

size_t argz_count(const char *argz, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += argz[i] == 0;
    return count;
}

int argz_append(char **argz, size_t *length, const char *bytes, size_t count) {
    char *grown = realloc(*argz, *length + count);
    if (grown == NULL)
        return ENOMEM;
    memcpy(grown + *length, bytes, count);
    *argz = grown;
    *length += count;
    return 0;
}

int argz_add(char **argz, size_t *length, const char *text) {
    return argz_append(argz, length, text, strlen(text) + 1);
}

int argz_create(char *const argv[], char **argz, size_t *length) {
    *argz = NULL;
    *length = 0;
    for (; *argv != NULL; argv++)
        if (argz_add(argz, length, *argv) != 0) {
            free(*argz);
            return ENOMEM;
        }
    return 0;
}

/* Appends the text with runs of the separator as the ends of strings. What
 * follows the last separator is a string too, even if it is empty. */
int argz_add_sep(char **argz, size_t *length, const char *text, int separator) {
    size_t size = strlen(text) + 1;
    if (size == 1)
        return 0;
    char *grown = realloc(*argz, *length + size);
    if (grown == NULL)
        return ENOMEM;
    char *to = grown + *length;
    for (;; text++) {
        if (*text != (char)separator)
            *to++ = *text;
        else if (to > grown && to[-1] != 0)
            *to++ = 0;
        if (*text == 0)
            break;
    }
    *argz = grown;
    *length = (size_t)(to - grown);
    return 0;
}

int argz_create_sep(const char *text, int separator, char **argz, size_t *length) {
    *argz = NULL;
    *length = 0;
    return argz_add_sep(argz, length, text, separator);
}

void argz_extract(const char *argz, size_t length, char **argv) {
    for (size_t at = 0; at < length; at += strlen(argz + at) + 1)
        *argv++ = (char *)argz + at;
    *argv = NULL;
}

void argz_stringify(char *argz, size_t length, int separator) {
    for (size_t i = 0; i + 1 < length; i++)
        if (argz[i] == 0)
            argz[i] = (char)separator;
}

char *argz_next(const char *argz, size_t length, const char *entry) {
    if (entry == NULL)
        return length > 0 ? (char *)argz : NULL;
    entry += strlen(entry) + 1;
    return entry < argz + length ? (char *)entry : NULL;
}

void argz_delete(char **argz, size_t *length, char *entry) {
    if (entry == NULL)
        return;
    size_t size = strlen(entry) + 1;
    *length -= size;
    memmove(entry, entry + size, (size_t)(*argz + *length - entry));
    if (*length == 0) {
        free(*argz);
        *argz = NULL;
    }
}

int argz_insert(char **argz, size_t *length, char *before, const char *text) {
    if (before == NULL)
        return argz_add(argz, length, text);
    if (before < *argz || before >= *argz + *length)
        return EINVAL;
    while (before > *argz && before[-1] != 0)
        before--;
    size_t at = (size_t)(before - *argz), size = strlen(text) + 1;
    char *grown = realloc(*argz, *length + size);
    if (grown == NULL)
        return ENOMEM;
    memmove(grown + at + size, grown + at, *length - at);
    memcpy(grown + at, text, size);
    *argz = grown;
    *length += size;
    return 0;
}
