/* A floating point number as text after a format of one conversion. */

int strfromd(char *to, size_t size, const char *format, double value) {
    return snprintf(to, size, format, value);
}

int strfromf(char *to, size_t size, const char *format, float value) {
    return snprintf(to, size, format, (double)value);
}

/* The same conversion for long double has an L before its letter. */
int strfroml(char *to, size_t size, const char *format, long double value) {
    char wide[32];
    size_t length = strlen(format);
    if (length == 0 || length + 2 > sizeof wide)
        abort();
    memcpy(wide, format, length - 1);
    wide[length - 1] = 'L';
    wide[length] = format[length - 1];
    wide[length + 1] = 0;
    return snprintf(to, size, wide, value);
}
