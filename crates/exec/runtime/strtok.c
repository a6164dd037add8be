/* Splitting a string in place. */

char *strtok_r(char *text, const char *separators, char **rest) {
    if (text == NULL)
        text = *rest;
    text += strspn(text, separators);
    if (*text == 0) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return text;
}

char *__strtok_r(char *text, const char *separators, char **rest) {
    return strtok_r(text, separators, rest);
}

char *strtok(char *text, const char *separators) {
    static char *rest;
    return strtok_r(text, separators, &rest);
}

char *strsep(char **text, const char *separators) {
    char *start = *text;
    if (start == NULL)
        return NULL;
    char *end = start + strcspn(start, separators);
    if (*end == 0) {
        *text = NULL;
    } else {
        *end = 0;
        *text = end + 1;
    }
    return start;
}

char *__strsep(char **text, const char *separators) { return strsep(text, separators); }
