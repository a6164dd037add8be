/* One multibyte character to and from a wide one. The C locale is ASCII: bytes
 * from 0x80 are no characters, and the state never changes. */

int mbsinit(const mbstate_t *state) { return state == NULL || state->count == 0; }

size_t mbrtowc(wchar_t *to, const char *from, size_t limit, mbstate_t *state) {
    (void)state;
    if (from == NULL)
        return 0;
    if (limit == 0)
        return (size_t)-2;
    unsigned char byte = (unsigned char)*from;
    if (byte >= 0x80) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (to != NULL)
        *to = byte;
    return byte != 0;
}

size_t mbrlen(const char *from, size_t limit, mbstate_t *state) {
    return mbrtowc(NULL, from, limit, state);
}

size_t __mbrlen(const char *from, size_t limit, mbstate_t *state) {
    return mbrlen(from, limit, state);
}

size_t wcrtomb(char *to, wchar_t c, mbstate_t *state) {
    (void)state;
    if (to == NULL)
        return 1;
    if ((unsigned)c >= 0x80) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *to = (char)c;
    return 1;
}

size_t __wcrtomb_chk(char *to, wchar_t c, mbstate_t *state, size_t size) {
    if (size < 1)
        __chk_fail();
    return wcrtomb(to, c, state);
}

wint_t btowc(int byte) { return byte >= 0 && byte < 0x80 ? (wint_t)byte : WEOF; }

int wctob(wint_t c) { return c < 0x80 ? (int)c : EOF; }
