/* Wide characters to and from streams. In the C locale a wide character is one
 * byte of ASCII. For others the native library writes a similar text or sets
 * the error of the stream; they are named as what is not understood. */

void __ripple_unsupported_wide_character(void) NORETURN;

wint_t fputwc(wchar_t c, FILE *stream) {
    if ((unsigned)c >= 0x80)
        __ripple_unsupported_wide_character();
    return fputc((int)c, stream) == EOF ? WEOF : (wint_t)c;
}

wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }

wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

int fputws(const wchar_t *text, FILE *stream) {
    for (; *text != 0; text++)
        if (fputwc(*text, stream) == WEOF)
            return -1;
    return 1;
}

wint_t fgetwc(FILE *stream) {
    int byte = fgetc(stream);
    if (byte == EOF)
        return WEOF;
    if (byte >= 0x80)
        __ripple_unsupported_wide_character();
    return (wint_t)byte;
}

wint_t getwc(FILE *stream) { return fgetwc(stream); }

wint_t getwchar(void) { return fgetwc(stdin); }

wint_t ungetwc(wint_t c, FILE *stream) {
    if (c >= 0x80) {
        if (c != WEOF)
            errno = EILSEQ;
        return WEOF;
    }
    return ungetc((int)c, stream) == EOF ? WEOF : c;
}

wchar_t *fgetws(wchar_t *to, int size, FILE *stream) {
    int length = 0;
    if (size <= 0)
        return NULL;
    while (length < size - 1) {
        wint_t c = fgetwc(stream);
        if (c == WEOF)
            break;
        to[length++] = (wchar_t)c;
        if (c == '\n')
            break;
    }
    if (length == 0 && size > 1)
        return NULL;
    to[length] = 0;
    return to;
}
