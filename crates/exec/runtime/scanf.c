/* The names of the scanf family: a text or a stream, and where the pointers
 * are. `%a` is a float in all of them, as in C99. */

int vfscanf(FILE *stream, const char *format, va_list arguments) {
    return __ripple_scan(NULL, stream, format, arguments);
}

int vsscanf(const char *text, const char *format, va_list arguments) {
    return __ripple_scan(text, NULL, format, arguments);
}

int vscanf(const char *format, va_list arguments) {
    return __ripple_scan(NULL, stdin, format, arguments);
}

int __isoc99_vfscanf(FILE *stream, const char *format, va_list arguments) {
    return __ripple_scan(NULL, stream, format, arguments);
}

int __isoc99_vsscanf(const char *text, const char *format, va_list arguments) {
    return __ripple_scan(text, NULL, format, arguments);
}

int __isoc99_vscanf(const char *format, va_list arguments) {
    return __ripple_scan(NULL, stdin, format, arguments);
}

int __isoc23_vfscanf(FILE *stream, const char *format, va_list arguments) {
    return __ripple_scan(NULL, stream, format, arguments);
}

int __isoc23_vsscanf(const char *text, const char *format, va_list arguments) {
    return __ripple_scan(text, NULL, format, arguments);
}

int __isoc23_vscanf(const char *format, va_list arguments) {
    return __ripple_scan(NULL, stdin, format, arguments);
}

#define SCANS(text, stream)                                                                        \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int assigned = __ripple_scan(text, stream, format, arguments);                             \
        va_end(arguments);                                                                         \
        return assigned;                                                                           \
    }

int scanf(const char *format, ...) SCANS(NULL, stdin)
int __isoc99_scanf(const char *format, ...) SCANS(NULL, stdin)
int __isoc23_scanf(const char *format, ...) SCANS(NULL, stdin)
int fscanf(FILE *stream, const char *format, ...) SCANS(NULL, stream)
int __isoc99_fscanf(FILE *stream, const char *format, ...) SCANS(NULL, stream)
int __isoc23_fscanf(FILE *stream, const char *format, ...) SCANS(NULL, stream)
int sscanf(const char *text, const char *format, ...) SCANS(text, NULL)
int __isoc99_sscanf(const char *text, const char *format, ...) SCANS(text, NULL)
int __isoc23_sscanf(const char *text, const char *format, ...) SCANS(text, NULL)
