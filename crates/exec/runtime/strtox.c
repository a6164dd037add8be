/* The conversion that all functions of the strtol family share.
 *
 * Returns the magnitude; says through `status` whether the number is negative
 * (1), does not fit 64 bits (2). `binary` allows the prefix 0b of C23. */

/* The value of a letter as a digit; of other bytes, more than any base. */
static unsigned letter_digit(char c) {
    unsigned letter = ((unsigned char)c | 32u) - 'a';
    return letter < 26 ? letter + 10 : 99;
}

static unsigned digit_of(char c) {
    unsigned digit = (unsigned)(unsigned char)c - '0';
    return digit < 10 ? digit : letter_digit(c);
}

/* Skips a prefix 0x or 0b and decides the base. A prefix counts only if a
 * digit follows; without one the number is the 0. */
static const char *skip_prefix(const char *at, int *base, int binary) {
    if (*at != '0') {
        if (*base == 0)
            *base = 10;
        return at;
    }
    if ((*base == 0 || *base == 16) && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
        *base = 16;
        return at + 2;
    }
    if (binary && (*base == 0 || *base == 2) && (at[1] == 'b' || at[1] == 'B') &&
        digit_of(at[2]) < 2) {
        *base = 2;
        return at + 2;
    }
    if (*base == 0)
        *base = 8;
    return at;
}

unsigned long __ripple_strtox(const char *text, char **end, int base, int binary, int *status) {
    *status = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *at = text;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    if (*at == '-')
        *status = 1;
    if (*at == '-' || *at == '+')
        at++;
    at = skip_prefix(at, &base, binary);
    const char *first = at;
    unsigned long value = 0;
    unsigned long most = ULONG_MAX / (unsigned long)base;
    unsigned long last = ULONG_MAX % (unsigned long)base;
    for (;; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit > 9)
            digit = letter_digit(*at);
        if (digit >= (unsigned)base)
            break;
        if (value >= most && (value > most || digit > last))
            *status |= 2;
        value = value * (unsigned long)base + digit;
    }
    if (end != NULL)
        *end = (char *)(at == first ? text : at);
    return value;
}
