/* Memory of wide characters. */

wchar_t *wmemchr(const wchar_t *text, wchar_t c, size_t count) {
    for (; count > 0; count--, text++)
        if (*text == c)
            return (wchar_t *)text;
    return NULL;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (left[i] != right[i])
            return left[i] > right[i] ? 1 : -1;
    return 0;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
    return memcpy(to, from, count * sizeof(wchar_t));
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t count) {
    return wmemcpy(to, from, count) + count;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return memmove(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = c;
    return to;
}

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return wmemcpy(to, from, count);
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return wmemmove(to, from, count);
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return wmemset(to, c, count);
}
