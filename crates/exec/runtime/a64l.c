/* Numbers of 32 bits as text in base 64, least digit first. */

static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long a64l(const char *text) {
    unsigned value = 0;
    for (int shift = 0; shift < 32 && *text != 0; shift += 6, text++) {
        const char *digit = strchr(digits, *text);
        if (digit == NULL)
            break;
        value |= (unsigned)(digit - digits) << shift;
    }
    return (long)value;
}

char *l64a(long number) {
    static char text[7];
    unsigned value = (unsigned)number;
    int at = 0;
    for (; value != 0; value >>= 6)
        text[at++] = digits[value & 63];
    text[at] = 0;
    return text;
}
