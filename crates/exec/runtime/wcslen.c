/* Lengths, copies and concatenations of wide strings. */

size_t wcslen(const wchar_t *text) {
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    wcpcpy(to, from);
    return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t count) {
    size_t at = 0;
    for (; at < count && from[at] != 0; at++)
        to[at] = from[at];
    wchar_t *end = to + at;
    while (at < count)
        to[at++] = 0;
    return end;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
    wcpncpy(to, from, count);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
    wcpcpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t limit) {
    wchar_t *at = to + wcslen(to);
    for (; limit > 0 && *from != 0; limit--)
        *at++ = *from++;
    *at = 0;
    return to;
}

wchar_t *wcsdup(const wchar_t *text) {
    size_t size = (wcslen(text) + 1) * sizeof(wchar_t);
    wchar_t *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t size) {
    if (wcsnlen(from, size) >= size)
        __chk_fail();
    return wcscpy(to, from);
}

wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return wcsncpy(to, from, count);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t size) {
    size_t used = wcsnlen(to, size);
    if (wcsnlen(from, size - used) >= size - used)
        __chk_fail();
    return wcscat(to, from);
}
