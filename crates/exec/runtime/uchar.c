/* <uchar.h> in the C locale: UTF-16 and UTF-32 units of ASCII characters. */

size_t mbrtoc32(uint32_t *to, const char *from, size_t limit, mbstate_t *state) {
    return mbrtowc((wchar_t *)to, from, limit, state);
}

size_t mbrtoc16(uint16_t *to, const char *from, size_t limit, mbstate_t *state) {
    wchar_t c;
    size_t length = mbrtowc(&c, from, limit, state);
    if (to != NULL && from != NULL && length <= 1)
        *to = (uint16_t)c;
    return length;
}

size_t c32rtomb(char *to, uint32_t c, mbstate_t *state) { return wcrtomb(to, (wchar_t)c, state); }

size_t c16rtomb(char *to, uint16_t c, mbstate_t *state) { return wcrtomb(to, c, state); }
