/* Multibyte strings to and from wide strings in the C locale. */

size_t mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t room, mbstate_t *state) {
    const char *at = *from;
    size_t count = 0;
    for (; to == NULL || count < room; count++, at++, bytes--) {
        if (bytes == 0)
            break;
        wchar_t c;
        if (mbrtowc(&c, at, 1, state) == (size_t)-1) {
            if (to != NULL)
                *from = at;
            return (size_t)-1;
        }
        if (to != NULL)
            to[count] = c;
        if (c == 0) {
            if (to != NULL)
                *from = NULL;
            return count;
        }
    }
    if (to != NULL)
        *from = at;
    return count;
}

size_t mbsrtowcs(wchar_t *to, const char **from, size_t room, mbstate_t *state) {
    return mbsnrtowcs(to, from, SIZE_MAX, room, state);
}

size_t mbstowcs(wchar_t *to, const char *from, size_t room) {
    mbstate_t state = {0, 0};
    return mbsrtowcs(to, &from, room, &state);
}

size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t room, size_t size) {
    if (room > size)
        __chk_fail();
    return mbstowcs(to, from, room);
}

size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t room, mbstate_t *state,
                       size_t size) {
    if (room > size)
        __chk_fail();
    return mbsrtowcs(to, from, room, state);
}

size_t wcsnrtombs(char *to, const wchar_t **from, size_t characters, size_t room,
                  mbstate_t *state) {
    const wchar_t *at = *from;
    size_t count = 0;
    for (; to == NULL || count < room; count++, at++, characters--) {
        if (characters == 0)
            break;
        char byte;
        if (wcrtomb(&byte, *at, state) == (size_t)-1) {
            if (to != NULL)
                *from = at;
            return (size_t)-1;
        }
        if (to != NULL)
            to[count] = byte;
        if (byte == 0) {
            if (to != NULL)
                *from = NULL;
            return count;
        }
    }
    if (to != NULL)
        *from = at;
    return count;
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t room, mbstate_t *state) {
    return wcsnrtombs(to, from, SIZE_MAX, room, state);
}

size_t wcstombs(char *to, const wchar_t *from, size_t room) {
    mbstate_t state = {0, 0};
    return wcsrtombs(to, &from, room, &state);
}

size_t __wcstombs_chk(char *to, const wchar_t *from, size_t room, size_t size) {
    if (room > size)
        __chk_fail();
    return wcstombs(to, from, room);
}
