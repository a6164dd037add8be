/* The conversion that all functions of the strtol family share.
 *
 * Returns the magnitude; says through `status` whether the number is negative
 * (1), does not fit 64 bits (2), has so many digits that it need not fit 63
 * bits (4). `binary` allows the prefix 0b of C23. An argument that was declared
 * as an integer is that integer: the result is its value, with status 0.
 *
 * How many digits there are is known on every path, so a number that cannot be
 * too large costs no condition on its value. */

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

/* How many digits always fit 63 bits. */
static long safe_digits(int base) {
    if (base == 10)
        return 18;
    if (base == 2)
        return 63;
    if (base == 8)
        return 21;
    return base == 16 ? 15 : 12;
}

unsigned long __ripple_strtox(const char *text, char **end, int base, int binary, int *status) {
    *status = 0;
    if (base == 10 || base == 0) {
        long value;
        long length = __ripple_integer(text, &value);
        if (length != 0) {
            if (end != NULL)
                *end = (char *)text + length;
            return (unsigned long)value;
        }
    }
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *at = text;
    while ((*at == ' ') | ((unsigned)(*at - '\t') < 5))
        at++;
    if (*at == '-') {
        *status = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if (base == 0 || base == 16 || base == 2)
        at = skip_prefix(at, &base, binary);
    const char *first = at;
    long safe = safe_digits(base);
    unsigned long value = 0;
    for (;; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (base > 10 && digit > 9)
            digit = letter_digit(*at);
        if (digit >= (unsigned)base)
            break;
        if (at - first >= safe) {
            *status |= 4;
            if (value > (ULONG_MAX - digit) / (unsigned)base)
                *status |= 2;
        }
        value = value * (unsigned)base + digit;
    }
    if (end != NULL)
        *end = (char *)(at == first ? text : at);
    return value;
}
