/* Messages of <err.h>: with the text of errno, or (the names with x) without. */

extern char *program_invocation_short_name;

void vwarnx(const char *format, va_list arguments) {
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format != NULL)
        vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list arguments) {
    int number = errno;
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format != NULL) {
        vfprintf(stderr, format, arguments);
        fputs(": ", stderr);
    }
    fprintf(stderr, "%s\n", strerror(number));
    errno = number;
}

void verr(int status, const char *format, va_list arguments) {
    vwarn(format, arguments);
    exit(status);
}

void verrx(int status, const char *format, va_list arguments) {
    vwarnx(format, arguments);
    exit(status);
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vwarn(format, arguments);
    va_end(arguments);
}

void warnx(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vwarnx(format, arguments);
    va_end(arguments);
}

void err(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verr(status, format, arguments);
}

void errx(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verrx(status, format, arguments);
}
