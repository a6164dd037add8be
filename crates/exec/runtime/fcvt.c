/* Floating point numbers as digits, in the old ways. The digits come from the
 * machine's own printing of numbers. ecvt is not here: its native digits are
 * wrong in the last place. */

int sprintf(char *to, const char *format, ...);

char *gcvt(double value, int digits, char *to) {
    sprintf(to, "%.*g", digits > 17 ? 17 : digits, value);
    return to;
}

static int is_special(double value) { return value != value || value - value != 0; }

/* The text without sign and point; `point` is where the point would be. */
static void strip(char *text, int *point, int *is_negative) {
    char *to = text, *from = text;
    *is_negative = *from == '-';
    from += *is_negative;
    *point = -1;
    for (; *from != 0; from++) {
        if (*from == '.')
            *point = (int)(to - text);
        else
            *to++ = *from;
    }
    *to = 0;
    if (*point < 0)
        *point = (int)(to - text);
}

int fcvt_r(double value, int digits, int *point, int *is_negative, char *to, size_t size) {
    char text[400];
    if (digits < 0)
        digits = 0;
    if (digits > 17)
        digits = 17;
    snprintf(text, sizeof text, is_special(value) ? "%f" : "%.*f", digits, value);
    strip(text, point, is_negative);
    if (is_special(value))
        *point = 0;
    /* A number below one has no zero before its point. */
    char *start = text;
    if (!is_special(value) && value != 0 && digits > 0)
        for (; *start == '0'; start++)
            --*point;
    if (strlen(start) >= size)
        return -1;
    strcpy(to, start);
    return 0;
}

char *fcvt(double value, int digits, int *point, int *is_negative) {
    static char text[400];
    fcvt_r(value, digits, point, is_negative, text, sizeof text);
    return text;
}
