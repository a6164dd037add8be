/* Numbers in scanf: `%d %i %u %o %x %p` and the floats. */

/* No decimal text of 64 bits is longer. */
#define LONGEST_DECIMAL 20

static void spend(struct scan_spec *spec) {
    if (spec->width > 0)
        spec->width--;
}

static void store_integer(struct scan *scan, const struct scan_spec *spec, void *to, long value) {
    if (to == NULL)
        return;
    if (spec->size == 1)
        *(char *)to = (char)value;
    else if (spec->size == 2)
        *(short *)to = (short)value;
    else if (spec->size == 4)
        *(int *)to = (int)value;
    else
        *(long *)to = value;
    scan->assigned++;
}

/* A number that was declared as an integer, if one is next. */
enum scan_step __ripple_scan_atom(struct scan *scan, const struct scan_spec *spec, int *is_atom) {
    long value, length = 0;
    if (scan->text != NULL)
        length = __ripple_integer(scan->text, &value);
    else if (!scan->has_ended && (spec->width < 0 || spec->width >= LONGEST_DECIMAL))
        length = __ripple_integer_in(scan->stream, &value);
    *is_atom = length != 0 && (spec->width < 0 || length <= spec->width);
    if (!*is_atom)
        return SCAN_GOES_ON;
    if (scan->text != NULL)
        scan->text += length;
    scan->read += length;
    scan->skips_space = 0;
    void *to = __ripple_scan_pointer(scan, spec);
    if (spec->letter == 'd' || spec->letter == 'i' || spec->letter == 'u') {
        store_integer(scan, spec, to, value);
    } else if (to != NULL) {
        if (spec->size == 16)
            *(long double *)to = (long double)value;
        else if (spec->size == 8)
            *(double *)to = (double)value;
        else
            *(float *)to = (float)value;
        scan->assigned++;
    }
    return SCAN_GOES_ON;
}

/* The rest of `(nil)`, which `%p` reads as a null pointer. */
static int is_nil(struct scan *scan, const struct scan_spec *spec, int c) {
    if (c != '(' || (spec->width >= 0 && spec->width < 5))
        return 0;
    for (const char *expected = "nil)"; *expected != 0; expected++)
        if (tolower(__ripple_scan_next(scan)) != *expected)
            return 0;
    return 1;
}

/* Digits as a number, cut to what fits. How many there are is known on every
 * path, so a number that cannot be too large costs no condition on its value. */
struct magnitude {
    unsigned long value;
    int base;
    int digits;
    int overflows;
};

static int add_digit(struct magnitude *number, int c) {
    unsigned digit = (unsigned)c - '0';
    if (number->base == 16 && digit > 9) {
        unsigned letter = ((unsigned)c | 32) - 'a';
        digit = letter < 6 ? letter + 10 : 16;
    }
    if (digit >= (unsigned)number->base)
        return 0;
    /* So many digits always fit. */
    int safe = number->base == 10 ? 19 : number->base == 16 ? 16 : 21;
    if (++number->digits > safe && number->value > (ULONG_MAX - digit) / (unsigned)number->base)
        number->overflows = 1;
    number->value = number->value * (unsigned)number->base + digit;
    return 1;
}

static long settle(const struct magnitude *number, int is_negative, int is_signed) {
    int overflows = number->overflows;
    unsigned long limit = ULONG_MAX;
    if (is_signed) {
        limit = (unsigned long)LONG_MAX + (unsigned)is_negative;
        /* Fifteen digits fit in any base. */
        if (number->digits > (number->base == 10 ? 18 : 15) && number->value > limit)
            overflows = 1;
    }
    if (overflows) {
        errno = ERANGE;
        return (long)limit;
    }
    return (long)(is_negative ? -number->value : number->value);
}

enum scan_step __ripple_scan_integer(struct scan *scan, struct scan_spec *spec, int base) {
    void *to = __ripple_scan_pointer(scan, spec);
    int c = __ripple_scan_next(scan);
    if (c == EOF)
        return SCAN_INPUT_ENDED;
    int sign = 0;
    if (c == '-') {
        sign = '-';
    } else if (c == '+') {
        sign = '+';
    }
    if (sign != 0) {
        spend(spec);
        c = __ripple_scan_next(scan);
    }
    struct magnitude number = {0, base, 0, 0};
    if (base != 10 && c == '0' && spec->width != 0) {
        spend(spec);
        number.digits = 1;
        c = __ripple_scan_next(scan);
        int is_marked = base != 8 && spec->width != 0 && (c == 'x' || c == 'X');
        if (is_marked) {
            number.base = 16;
            spend(spec);
            c = __ripple_scan_next(scan);
        } else if (base == 0) {
            number.base = 8;
        }
    }
    if (number.base == 0)
        number.base = 10;
    while (spec->width != 0 && add_digit(&number, c)) {
        spend(spec);
        c = __ripple_scan_next(scan);
    }
    if (number.digits != 0) {
        __ripple_scan_unget(scan);
    } else if (sign != 0 || spec->letter != 'p' || !is_nil(scan, spec, c)) {
        __ripple_scan_unget(scan);
        return SCAN_MISMATCH;
    }
    int is_signed = spec->letter == 'd' || spec->letter == 'i';
    store_integer(scan, spec, to, settle(&number, sign == '-', is_signed));
    return SCAN_GOES_ON;
}

/* The text of a floating point number while it is collected. */
struct collected {
    char *text;
    size_t length;
    size_t room;
    char small[64];
};

/* Keeps room for the byte and a terminator. */
static void keep(struct collected *number, int c) {
    if (number->length + 2 > number->room) {
        size_t room = 2 * number->room;
        char *text = realloc(number->text == number->small ? NULL : number->text, room);
        if (text == NULL)
            abort();
        if (number->text == number->small)
            memcpy(text, number->small, number->length);
        number->text = text;
        number->room = room;
    }
    number->text[number->length++] = (char)c;
}

/* Exactly these letters, in either case. */
static int read_letters(struct scan *scan, struct scan_spec *spec, const char *letters,
                        struct collected *number) {
    for (; *letters != 0; letters++) {
        if (spec->width == 0)
            return 0;
        int c = __ripple_scan_next(scan);
        if (tolower(c) != *letters)
            return 0;
        spend(spec);
        keep(number, c);
    }
    return 1;
}

/* The rest of `inf` or `infinity`. */
static int read_infinity(struct scan *scan, struct scan_spec *spec, struct collected *number) {
    if (!read_letters(scan, spec, "nf", number))
        return 0;
    if (spec->width == 0)
        return 1;
    int c = __ripple_scan_next(scan);
    if (tolower(c) != 'i') {
        __ripple_scan_unget(scan);
        return 1;
    }
    spend(spec);
    keep(number, c);
    return read_letters(scan, spec, "nity", number);
}

/* Whether a byte continues a number, and as what. */
struct progress {
    int is_hex;
    int got_digit;
    int got_point;
    int got_exponent;
    int is_behind_marker;
};

static int continues(struct progress *at, int c) {
    int was_behind_marker = at->is_behind_marker;
    at->is_behind_marker = 0;
    if ((unsigned)c - '0' < 10) {
        at->got_digit = 1;
        return 1;
    }
    if (was_behind_marker && (c == '+' || c == '-'))
        return 1;
    if (at->is_hex && !at->got_exponent && ((unsigned)c | 32) - 'a' < 6) {
        at->got_digit = 1;
        return 1;
    }
    if (at->got_digit && !at->got_exponent && tolower(c) == (at->is_hex ? 'p' : 'e')) {
        at->got_exponent = at->got_point = at->is_behind_marker = 1;
        return 1;
    }
    if (c == '.' && !at->got_point) {
        at->got_point = 1;
        return 1;
    }
    return 0;
}

/* Digits, point and exponent, decimal or hexadecimal, as far as they look like
 * a number. The width already covers the byte that was read. */
static int read_digits(struct scan *scan, struct scan_spec *spec, int c, struct collected *number) {
    size_t signs = number->length;
    struct progress at = {0, 0, 0, 0, 0};
    if (c == '0' && spec->width != 0) {
        keep(number, c);
        c = __ripple_scan_next(scan);
        spend(spec);
        if (spec->width != 0 && (c == 'x' || c == 'X')) {
            keep(number, c);
            at.is_hex = 1;
            c = __ripple_scan_next(scan);
            spend(spec);
        } else {
            at.got_digit = 1;
        }
    }
    while (c != EOF) {
        if (!continues(&at, c)) {
            __ripple_scan_unget(scan);
            break;
        }
        keep(number, c);
        if (spec->width == 0)
            break;
        c = __ripple_scan_next(scan);
        spend(spec);
    }
    return number->length != signs && !(at.is_hex && number->length == signs + 2);
}

static int collect(struct scan *scan, struct scan_spec *spec, int c, struct collected *number) {
    spend(spec);
    if (c == '-' || c == '+') {
        keep(number, c);
        if (spec->width == 0)
            return 0;
        /* The end is an input failure only before anything was read. */
        c = __ripple_scan_next(scan);
        if (c == EOF)
            return 0;
        spend(spec);
    }
    if (c == 'n' || c == 'N') {
        keep(number, c);
        return read_letters(scan, spec, "an", number);
    }
    if (c == 'i' || c == 'I') {
        keep(number, c);
        return read_infinity(scan, spec, number);
    }
    return read_digits(scan, spec, c, number);
}

/* Converts the text; stores the number if there is a place for it. */
static int store_float(const struct scan_spec *spec, const char *text, void *to) {
    char *end;
    if (spec->size == 16) {
        long double value = strtold(text, &end);
        if (to != NULL && end != text)
            *(long double *)to = value;
    } else if (spec->size == 8) {
        double value = strtod(text, &end);
        if (to != NULL && end != text)
            *(double *)to = value;
    } else {
        float value = strtof(text, &end);
        if (to != NULL && end != text)
            *(float *)to = value;
    }
    return end != text;
}

enum scan_step __ripple_scan_float(struct scan *scan, struct scan_spec *spec) {
    void *to = __ripple_scan_pointer(scan, spec);
    int c = __ripple_scan_next(scan);
    if (c == EOF)
        return SCAN_INPUT_ENDED;
    struct collected number;
    number.text = number.small;
    number.room = sizeof number.small;
    number.length = 0;
    int is_number = collect(scan, spec, c, &number);
    number.text[number.length] = 0;
    is_number = is_number && store_float(spec, number.text, to);
    if (number.text != number.small)
        free(number.text);
    if (!is_number)
        return SCAN_MISMATCH;
    if (to != NULL)
        scan->assigned++;
    return SCAN_GOES_ON;
}
