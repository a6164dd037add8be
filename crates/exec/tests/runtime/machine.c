/* The machine's part in the drivers: what the runtime leaves to the machine is
 * done by the native library. A driver may declare a text or what is next in a
 * stream to be an integer. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *declared_text;
FILE *declared_stream;
long declared_position;
long declared_value;
long declared_length;

long __ripple_integer(const char *text, long *value) {
    if (text == NULL || text != declared_text)
        return 0;
    *value = declared_value;
    return declared_length;
}

long __ripple_integer_in(FILE *stream, long *value) {
    if (stream == NULL || stream != declared_stream || ftell(stream) != declared_position)
        return 0;
    *value = declared_value;
    fseek(stream, declared_length, SEEK_CUR);
    return declared_length;
}

int __ripple_format_list(char *to, size_t size, const char *format, va_list arguments) {
    return vsnprintf(to, size, format, arguments);
}

int __ripple_format_one(char *to, size_t size, const char *spec, ...) {
    va_list arguments;
    va_start(arguments, spec);
    int length = vsnprintf(to, size, spec, arguments);
    va_end(arguments);
    return length;
}

double __ripple_strtod(const char *text, char **end) { return strtod(text, end); }

float __ripple_strtof(const char *text, char **end) { return strtof(text, end); }

long double __ripple_strtold(const char *text, char **end) { return strtold(text, end); }
