/* Formatted wide text in memory, by the narrow functions. Wide characters
 * outside ASCII, which memory could take but a narrow text cannot, are named
 * as what is not understood. */

int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
void __ripple_unsupported_wide_character(void) NORETURN;

static char *narrow(const wchar_t *format) {
    size_t length = wcslen(format);
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy != NULL && i <= length; i++) {
        if ((unsigned)format[i] >= 0x80)
            __ripple_unsupported_wide_character();
        copy[i] = (char)format[i];
    }
    return copy;
}

/* Copies as much as has room, without a terminator if not all has. */
static int widen(wchar_t *to, size_t size, const char *text, int length) {
    size_t at = 0;
    for (; at < (size_t)length && at + 1 < size; at++) {
        if ((unsigned char)text[at] >= 0x80)
            __ripple_unsupported_wide_character();
        to[at] = (unsigned char)text[at];
    }
    if (at < (size_t)length)
        return -1;
    to[at] = 0;
    return length;
}

int vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list arguments) {
    if (size == 0)
        return -1;
    char *copy = narrow(format), *text = malloc(size);
    if (copy == NULL || text == NULL) {
        free(copy);
        free(text);
        return -1;
    }
    int length = vsnprintf(text, size, copy, arguments);
    if (length < 0)
        __ripple_unsupported_wide_character();
    int result = widen(to, size, text, length);
    free(copy);
    free(text);
    return result;
}

int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vswprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

int __swprintf_chk(wchar_t *to, size_t size, int flag, size_t room, const wchar_t *format, ...) {
    (void)flag;
    if (size > room)
        __chk_fail();
    va_list arguments;
    va_start(arguments, format);
    int length = vswprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}
