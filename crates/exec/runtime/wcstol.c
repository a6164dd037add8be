/* Numbers from wide text: from a narrow copy, in which a character outside
 * ASCII is a byte that ends every number. */

long __isoc23_strtol(const char *text, char **end, int base);
unsigned long __isoc23_strtoul(const char *text, char **end, int base);

static char *narrow(const wchar_t *text) {
    size_t length = wcslen(text);
    char *copy = malloc(length + 1);
    if (copy == NULL)
        abort();
    for (size_t i = 0; i <= length; i++)
        copy[i] = (unsigned)text[i] < 0x80 ? (char)text[i] : '\x7f';
    return copy;
}

/* The end in the wide text for an end in the copy, which is given back. A bad
 * base leaves the end unset. */
static void finish(const wchar_t *text, wchar_t **end, char *copy, const char *copy_end) {
    if (end != NULL && copy_end != NULL)
        *end = (wchar_t *)text + (copy_end - copy);
    free(copy);
}

#define CONVERSION(type, call)                                                               \
    {                                                                                              \
        char *copy = narrow(text), *copy_end = NULL;                                               \
        type value = call;                                                                         \
        finish(text, end, copy, copy_end);                                                         \
        return value;                                                                              \
    }

long wcstol(const wchar_t *text, wchar_t **end, int base)
CONVERSION(long, strtol(copy, &copy_end, base))

unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base)
CONVERSION(unsigned long, strtoul(copy, &copy_end, base))

long __isoc23_wcstol(const wchar_t *text, wchar_t **end, int base)
CONVERSION(long, __isoc23_strtol(copy, &copy_end, base))

unsigned long __isoc23_wcstoul(const wchar_t *text, wchar_t **end, int base)
CONVERSION(unsigned long, __isoc23_strtoul(copy, &copy_end, base))

double wcstod(const wchar_t *text, wchar_t **end)
CONVERSION(double, strtod(copy, &copy_end))

float wcstof(const wchar_t *text, wchar_t **end)
CONVERSION(float, strtof(copy, &copy_end))

long double wcstold(const wchar_t *text, wchar_t **end)
CONVERSION(long double, strtold(copy, &copy_end))

long long wcstoll(const wchar_t *text, wchar_t **end, int base) { return wcstol(text, end, base); }

unsigned long long wcstoull(const wchar_t *text, wchar_t **end, int base) {
    return wcstoul(text, end, base);
}

intmax_t wcstoimax(const wchar_t *text, wchar_t **end, int base) { return wcstol(text, end, base); }

uintmax_t wcstoumax(const wchar_t *text, wchar_t **end, int base) {
    return wcstoul(text, end, base);
}
