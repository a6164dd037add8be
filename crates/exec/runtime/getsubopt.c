/* Suboptions: one word of a list like "ro,size=3". */

int getsubopt(char **text, char *const *names, char **value) {
    if (**text == 0)
        return -1;
    char *word = *text;
    char *end = strchrnul(word, ',');
    char *equals = memchr(word, '=', (size_t)(end - word));
    size_t length = (size_t)((equals == NULL ? end : equals) - word);
    *text = end;
    if (*end != 0) {
        *end = 0;
        *text = end + 1;
    }
    for (int i = 0; names[i] != NULL; i++)
        if (strncmp(names[i], word, length) == 0 && names[i][length] == 0) {
            *value = equals == NULL ? NULL : equals + 1;
            return i;
        }
    *value = word;
    return -1;
}
