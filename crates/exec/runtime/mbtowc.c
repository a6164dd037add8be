/* The multibyte functions of <stdlib.h>. There are no shift states. */

int mbtowc(wchar_t *to, const char *from, size_t limit) {
    if (from == NULL)
        return 0;
    if (*from == 0) /* Whatever the limit is. */
        limit = 1;
    long length = (long)mbrtowc(to, from, limit, NULL);
    return length < 0 ? -1 : (int)length;
}

int mblen(const char *from, size_t limit) { return mbtowc(NULL, from, limit); }

int wctomb(char *to, wchar_t c) { return to == NULL ? 0 : (int)wcrtomb(to, c, NULL); }

int __wctomb_chk(char *to, wchar_t c, size_t size) {
    if (size < 1)
        __chk_fail();
    return wctomb(to, c);
}

size_t __ctype_get_mb_cur_max(void) { return 1; }
