/* Searching and splitting wide strings. */

wchar_t *wcschrnul(const wchar_t *text, wchar_t c) {
    while (*text != c && *text != 0)
        text++;
    return (wchar_t *)text;
}

wchar_t *wcschr(const wchar_t *text, wchar_t c) {
    text = wcschrnul(text, c);
    return *text == c ? (wchar_t *)text : NULL;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
    const wchar_t *found = NULL;
    for (;; text++) {
        if (*text == c)
            found = text;
        if (*text == 0)
            return (wchar_t *)found;
    }
}

size_t wcsspn(const wchar_t *text, const wchar_t *set) {
    size_t at = 0;
    while (text[at] != 0 && wcschr(set, text[at]) != NULL)
        at++;
    return at;
}

size_t wcscspn(const wchar_t *text, const wchar_t *set) {
    size_t at = 0;
    while (text[at] != 0 && wcschr(set, text[at]) == NULL)
        at++;
    return at;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set) {
    text += wcscspn(text, set);
    return *text == 0 ? NULL : (wchar_t *)text;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *word) {
    for (;; text++) {
        size_t at = 0;
        while (word[at] != 0 && text[at] == word[at])
            at++;
        if (word[at] == 0)
            return (wchar_t *)text;
        if (text[at] == 0)
            return NULL;
    }
}

wchar_t *wcswcs(const wchar_t *text, const wchar_t *word) { return wcsstr(text, word); }

wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **rest) {
    if (text == NULL) {
        if (*rest == NULL)
            return NULL;
        text = *rest;
    }
    text += wcsspn(text, separators);
    if (*text == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = text + wcscspn(text, separators);
    *rest = *end == 0 ? NULL : end + 1;
    *end = 0;
    return text;
}
