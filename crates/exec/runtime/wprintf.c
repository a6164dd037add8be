/* Formatted output of wide text, by the narrow functions: in the C locale a
 * wide character is one byte of ASCII. Others are named as what is not
 * understood. */

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

int vfwprintf(FILE *stream, const wchar_t *format, va_list arguments) {
    char *copy = narrow(format);
    if (copy == NULL)
        return -1;
    int number = errno;
    errno = 0;
    int length = vfprintf(stream, copy, arguments);
    free(copy);
    if (length < 0 && errno == EILSEQ)
        __ripple_unsupported_wide_character();
    if (errno == 0)
        errno = number;
    return length;
}

int vwprintf(const wchar_t *format, va_list arguments) {
    return vfwprintf(stdout, format, arguments);
}

int fwprintf(FILE *stream, const wchar_t *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int wprintf(const wchar_t *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int __fwprintf_chk(FILE *stream, int flag, const wchar_t *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int __wprintf_chk(int flag, const wchar_t *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}
