/* Formatted text in memory, also with the checked names of fortified programs,
 * which know the room in the buffer. */

static int format_to(char *to, size_t size, const char *format, va_list arguments) {
    struct format_sink sink = {to, size, 0, 0};
    return __ripple_format(&sink, format, arguments);
}

int vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
    return format_to(to, size, format, arguments);
}

int vsprintf(char *to, const char *format, va_list arguments) {
    return format_to(to, SIZE_MAX, format, arguments);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                    va_list arguments) {
    (void)flag;
    if (size > room)
        __chk_fail();
    return format_to(to, size, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments) {
    (void)flag;
    int length = format_to(to, room, format, arguments);
    if (length >= 0 && (size_t)length >= room)
        __chk_fail();
    return length;
}

int vasprintf(char **to, const char *format, va_list arguments) {
    struct format_sink sink = {malloc(100), 100, 0, 1};
    if (sink.to == NULL)
        return -1;
    int length = __ripple_format(&sink, format, arguments);
    if (length < 0 || sink.length >= sink.size) {
        free(sink.to);
        return -1;
    }
    char *fitting = realloc(sink.to, sink.length + 1);
    *to = fitting != NULL ? fitting : sink.to;
    return length;
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments) {
    (void)flag;
    return vasprintf(to, format, arguments);
}

#define FORMATS(call)                                                                              \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int length = call;                                                                         \
        va_end(arguments);                                                                         \
        return length;                                                                             \
    }

int snprintf(char *to, size_t size, const char *format, ...)
FORMATS(format_to(to, size, format, arguments))

int sprintf(char *to, const char *format, ...)
FORMATS(format_to(to, SIZE_MAX, format, arguments))

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
FORMATS(__vsnprintf_chk(to, size, flag, room, format, arguments))

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
FORMATS(__vsprintf_chk(to, flag, room, format, arguments))

int asprintf(char **to, const char *format, ...)
FORMATS(vasprintf(to, format, arguments))

int __asprintf_chk(char **to, int flag, const char *format, ...)
FORMATS(__vasprintf_chk(to, flag, format, arguments))
