/* The machine's part in the drivers: nothing is declared as an integer, and
 * what the runtime leaves to the machine is done by the native library. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long __ripple_integer(const char *text, long *value) { return 0; }

long __ripple_integer_in(FILE *stream, long *value) { return 0; }

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
