/* Columns of wide characters in the C locale. */

int wcwidth(wchar_t c) {
    if (c == 0)
        return 0;
    return c >= ' ' && c <= '~' ? 1 : -1;
}

int wcswidth(const wchar_t *text, size_t limit) {
    int columns = 0;
    for (size_t i = 0; i < limit && text[i] != 0; i++) {
        if (wcwidth(text[i]) < 0)
            return -1;
        columns++;
    }
    return columns;
}
