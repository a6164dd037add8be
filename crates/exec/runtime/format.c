/* The printf engine for text in memory. Integers, characters and strings are
 * formatted here, so that what they depend on goes into the text byte by byte;
 * floating point numbers and wide characters are formatted by the machine, one
 * conversion at a time. A format that numbers its arguments, or asks for what
 * does not exist, is left to the machine as a whole: the native library has
 * ways of its own with those. */

/* A conversion specification of printf. */
struct spec {
    int is_left;
    int has_plus;
    int has_space;
    int is_alternate;
    int has_zero;
    int width;
    int precision; /* -1 if there is none. */
    int size;      /* Of an integer; 8 also for l, 16 for L and its like. */
    char letter;
};

/* How a step ends. */
enum step { GOES_ON, FAILED, UNKNOWN };

/* How many of the next `count` bytes have room. */
static size_t room_for(struct format_sink *sink, size_t count) {
    size_t used = sink->length;
    if (sink->grows && used + count >= sink->size) {
        size_t size = used + count + 1 > 2 * sink->size ? used + count + 1 : 2 * sink->size;
        char *to = realloc(sink->to, size);
        if (to != NULL) {
            sink->to = to;
            sink->size = size;
        }
    }
    if (used + 1 >= sink->size)
        return 0;
    size_t room = sink->size - 1 - used;
    return count < room ? count : room;
}

static void put(struct format_sink *sink, const char *from, size_t count) {
    size_t stored = room_for(sink, count);
    if (stored == 1)
        sink->to[sink->length] = *from;
    else if (stored != 0)
        memmove(sink->to + sink->length, from, stored);
    sink->length += count;
}

static void fill(struct format_sink *sink, char byte, long count) {
    size_t stored = room_for(sink, (size_t)count);
    if (stored != 0)
        memset(sink->to + sink->length, byte, stored);
    sink->length += (size_t)count;
}

/* A number of the format; -1 if it does not fit. */
static int read_number(const char **at) {
    long number = 0;
    for (; (unsigned)**at - '0' < 10; ++*at)
        if (number <= INT_MAX)
            number = number * 10 + (**at - '0');
    return number <= INT_MAX ? (int)number : -1;
}

static void read_flags(const char **at, struct spec *spec) {
    spec->is_left = spec->has_plus = spec->has_space = spec->is_alternate = spec->has_zero = 0;
    for (;; ++*at) {
        switch (**at) {
        case '-':
            spec->is_left = 1;
            break;
        case '+':
            spec->has_plus = 1;
            break;
        case ' ':
            spec->has_space = 1;
            break;
        case '#':
            spec->is_alternate = 1;
            break;
        case '0':
            spec->has_zero = 1;
            break;
        case '\'':
        case 'I':
            /* Without effect in the C locale. */
            break;
        default:
            return;
        }
    }
}

static int read_size(const char **at) {
    switch (**at) {
    case 'h':
        ++*at;
        if (**at != 'h')
            return 2;
        ++*at;
        return 1;
    case 'l':
        ++*at;
        if (**at != 'l')
            return 8;
        ++*at;
        return 16;
    case 'j':
    case 'z':
    case 't':
    case 'Z':
        ++*at;
        return 8;
    case 'L':
    case 'q':
        ++*at;
        return 16;
    default:
        return 4;
    }
}

/* Reads what follows a `%`, with the arguments for `*`. */
static enum step read_spec(const char **at, struct spec *spec, va_list *arguments) {
    read_flags(at, spec);
    spec->width = 0;
    spec->precision = -1;
    if (**at == '*') {
        ++*at;
        if ((unsigned)**at - '0' < 10)
            return UNKNOWN;
        int width = va_arg(*arguments, int);
        if (width == INT_MIN) {
            errno = EOVERFLOW;
            return FAILED;
        }
        if (width < 0)
            spec->is_left = 1;
        spec->width = width < 0 ? -width : width;
    } else {
        spec->width = read_number(at);
        if (spec->width < 0)
            return UNKNOWN;
    }
    if (**at == '.') {
        ++*at;
        if (**at == '*') {
            ++*at;
            if ((unsigned)**at - '0' < 10)
                return UNKNOWN;
            int precision = va_arg(*arguments, int);
            spec->precision = precision < 0 ? -1 : precision;
        } else {
            spec->precision = read_number(at);
            if (spec->precision < 0)
                return UNKNOWN;
        }
    }
    spec->size = read_size(at);
    spec->letter = **at;
    if (spec->letter != 0)
        ++*at;
    return GOES_ON;
}

/* Text that is padded with blanks to the width. */
static void put_text(struct format_sink *sink, const struct spec *spec, const char *text,
                     size_t length) {
    long missing = (long)spec->width - (long)length;
    if (missing > 0 && !spec->is_left)
        fill(sink, ' ', missing);
    put(sink, text, length);
    if (missing > 0 && spec->is_left)
        fill(sink, ' ', missing);
}

static void put_string(struct format_sink *sink, const struct spec *spec, const char *text) {
    if (text == NULL) {
        /* Only where all of it fits. */
        int fits = spec->precision < 0 || spec->precision >= 6;
        put_text(sink, spec, "(null)", fits ? 6 : 0);
        return;
    }
    size_t length = spec->precision < 0 ? strlen(text) : strnlen(text, (size_t)spec->precision);
    put_text(sink, spec, text, length);
}

/* Writes the digits in front of `end`; returns where they begin. */
static char *digits(char *end, unsigned long value, int base, int is_upper) {
    if (base == 10) {
        for (; value != 0; value /= 10)
            *--end = (char)('0' + value % 10);
        return end;
    }
    int shift = base == 16 ? 4 : base == 8 ? 3 : 1;
    unsigned letters = (is_upper ? 'A' : 'a') - '0' - 10;
    for (; value != 0; value >>= shift) {
        unsigned digit = (unsigned)value & ((1u << shift) - 1);
        *--end = (char)('0' + digit + (digit > 9) * letters);
    }
    return end;
}

/* An integer with its prefix (sign or 0x), precision and padding. */
static void put_number(struct format_sink *sink, const struct spec *spec, const char *prefix,
                       unsigned long value, int base) {
    char buffer[64];
    char *end = buffer + sizeof buffer;
    char *first = digits(end, value, base, spec->letter == 'X');
    long count = end - first;
    long zeros = (spec->precision < 0 ? 1 : spec->precision) - count;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && spec->is_alternate && zeros == 0)
        zeros = 1;
    long prefix_length = 0;
    while (prefix[prefix_length] != 0)
        prefix_length++;
    long missing = spec->width - (prefix_length + zeros + count);
    if (missing > 0 && spec->has_zero && !spec->is_left && spec->precision < 0) {
        zeros += missing;
        missing = 0;
    }
    if (missing > 0 && !spec->is_left)
        fill(sink, ' ', missing);
    if (prefix_length > 0)
        put(sink, prefix, (size_t)prefix_length);
    if (zeros > 0)
        fill(sink, '0', zeros);
    put(sink, first, (size_t)count);
    if (missing > 0 && spec->is_left)
        fill(sink, ' ', missing);
}

static const char *sign(const struct spec *spec) {
    return spec->has_plus ? "+" : spec->has_space ? " " : "";
}

static void put_signed(struct format_sink *sink, const struct spec *spec, va_list *arguments) {
    long value;
    if (spec->size >= 8)
        value = va_arg(*arguments, long);
    else
        value = va_arg(*arguments, int);
    if (spec->size == 1)
        value = (signed char)value;
    else if (spec->size == 2)
        value = (short)value;
    if (value < 0)
        put_number(sink, spec, "-", -(unsigned long)value, 10);
    else
        put_number(sink, spec, sign(spec), (unsigned long)value, 10);
}

static void put_unsigned(struct format_sink *sink, const struct spec *spec, int base,
                         va_list *arguments) {
    unsigned long value;
    if (spec->size >= 8)
        value = va_arg(*arguments, unsigned long);
    else
        value = va_arg(*arguments, unsigned);
    if (spec->size == 1)
        value = (unsigned char)value;
    else if (spec->size == 2)
        value = (unsigned short)value;
    const char *prefix = "";
    if (spec->is_alternate && base != 8 && base != 10 && value != 0) {
        static const char prefixes[4][3] = {"0x", "0X", "0b", "0B"};
        int is_upper = spec->letter == 'X' || spec->letter == 'B';
        prefix = prefixes[(base == 2 ? 2 : 0) + is_upper];
    }
    put_number(sink, spec, prefix, value, base);
}

static void put_pointer(struct format_sink *sink, const struct spec *spec, void *pointer) {
    if (pointer == NULL) {
        put_text(sink, spec, "(nil)", 5);
        return;
    }
    const char *prefix = spec->has_plus ? "+0x" : spec->has_space ? " 0x" : "0x";
    put_number(sink, spec, prefix, (unsigned long)pointer, 16);
}

static void store_count(const struct format_sink *sink, const struct spec *spec, void *to) {
    if (spec->size == 1)
        *(char *)to = (char)sink->length;
    else if (spec->size == 2)
        *(short *)to = (short)sink->length;
    else if (spec->size == 4)
        *(int *)to = (int)sink->length;
    else
        *(long *)to = (long)sink->length;
}

/* The argument of a conversion that the machine formats. */
struct argument {
    enum { DOUBLE, LONG_DOUBLE, WORD } kind;
    double number;
    long double long_number;
    long word;
};

static int ask(char *to, size_t size, const char *text, const struct spec *spec,
               const struct argument *argument) {
    int width = spec->width, precision = spec->precision;
    switch (argument->kind) {
    case DOUBLE:
        return __ripple_format_one(to, size, text, width, precision, argument->number);
    case LONG_DOUBLE:
        return __ripple_format_one(to, size, text, width, precision, argument->long_number);
    default:
        return __ripple_format_one(to, size, text, width, precision, argument->word);
    }
}

static enum step put_by_machine(struct format_sink *sink, const struct spec *spec,
                                const struct argument *argument) {
    char text[16];
    char *at = text;
    *at++ = '%';
    if (spec->is_left)
        *at++ = '-';
    if (spec->has_plus)
        *at++ = '+';
    if (spec->has_space)
        *at++ = ' ';
    if (spec->is_alternate)
        *at++ = '#';
    if (spec->has_zero)
        *at++ = '0';
    *at++ = '*';
    *at++ = '.';
    *at++ = '*';
    if (argument->kind == LONG_DOUBLE)
        *at++ = 'L';
    else if (argument->kind == WORD)
        *at++ = 'l';
    *at++ = spec->letter;
    *at = 0;
    /* The length is asked first where the buffer may have to grow. */
    int length = 0;
    if (sink->grows) {
        length = ask(NULL, 0, text, spec, argument);
        if (length > 0)
            room_for(sink, (size_t)length);
    }
    size_t left = sink->length < sink->size ? sink->size - sink->length : 0;
    if (length >= 0)
        length = ask(left == 0 ? NULL : sink->to + sink->length, left, text, spec, argument);
    if (length < 0)
        return FAILED;
    sink->length += (size_t)length;
    return GOES_ON;
}

static enum step put_float(struct format_sink *sink, const struct spec *spec, va_list *arguments) {
    struct argument argument;
    argument.kind = spec->size == 16 ? LONG_DOUBLE : DOUBLE;
    if (argument.kind == LONG_DOUBLE)
        argument.long_number = va_arg(*arguments, long double);
    else
        argument.number = va_arg(*arguments, double);
    return put_by_machine(sink, spec, &argument);
}

static enum step put_wide(struct format_sink *sink, struct spec *spec, va_list *arguments) {
    struct argument argument;
    argument.kind = WORD;
    argument.word = va_arg(*arguments, long);
    if (spec->letter == 'C')
        spec->letter = 'c';
    if (spec->letter == 'S')
        spec->letter = 's';
    return put_by_machine(sink, spec, &argument);
}

static enum step conversion(struct format_sink *sink, struct spec *spec, va_list *arguments) {
    switch (spec->letter) {
    case 'd':
    case 'i':
        put_signed(sink, spec, arguments);
        return GOES_ON;
    case 'u':
        put_unsigned(sink, spec, 10, arguments);
        return GOES_ON;
    case 'x':
    case 'X':
        put_unsigned(sink, spec, 16, arguments);
        return GOES_ON;
    case 'o':
        put_unsigned(sink, spec, 8, arguments);
        return GOES_ON;
    case 'b':
    case 'B':
        put_unsigned(sink, spec, 2, arguments);
        return GOES_ON;
    case 'p':
        put_pointer(sink, spec, va_arg(*arguments, void *));
        return GOES_ON;
    case 'n':
        store_count(sink, spec, va_arg(*arguments, void *));
        return GOES_ON;
    case 'c':
        if (spec->size < 8) {
            char byte = (char)va_arg(*arguments, int);
            put_text(sink, spec, &byte, 1);
            return GOES_ON;
        }
        return put_wide(sink, spec, arguments);
    case 's':
        if (spec->size < 8) {
            put_string(sink, spec, va_arg(*arguments, const char *));
            return GOES_ON;
        }
        return put_wide(sink, spec, arguments);
    case 'C':
    case 'S':
        return put_wide(sink, spec, arguments);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return put_float(sink, spec, arguments);
    default:
        return UNKNOWN;
    }
}

static enum step run(struct format_sink *sink, const char *at, va_list *arguments) {
    while (*at != 0) {
        const char *from = at;
        while (*at != 0 && *at != '%')
            at++;
        if (at != from)
            put(sink, from, (size_t)(at - from));
        if (*at == 0)
            break;
        at++;
        if (*at == '%') {
            put(sink, at++, 1);
        } else {
            struct spec spec;
            enum step step = read_spec(&at, &spec, arguments);
            if (step == GOES_ON)
                step = conversion(sink, &spec, arguments);
            if (step != GOES_ON)
                return step;
        }
        if (sink->length > INT_MAX)
            break;
    }
    if (sink->length <= INT_MAX)
        return GOES_ON;
    errno = EOVERFLOW;
    return FAILED;
}

/* All of it by the machine, which begins anew. */
static int leave_to_machine(struct format_sink *sink, const char *format, va_list arguments) {
    sink->length = 0;
    if (sink->grows) {
        va_list again;
        va_copy(again, arguments);
        int length = __ripple_format_list(NULL, 0, format, again);
        va_end(again);
        if (length < 0)
            return -1;
        room_for(sink, (size_t)length);
    }
    int length = __ripple_format_list(sink->to, sink->size, format, arguments);
    if (length > 0)
        sink->length = (size_t)length;
    return length;
}

int __ripple_format(struct format_sink *sink, const char *format, va_list arguments) {
    va_list list;
    va_copy(list, arguments);
    enum step step = run(sink, format, &list);
    va_end(list);
    if (step == UNKNOWN)
        return leave_to_machine(sink, format, arguments);
    if (sink->size != 0)
        sink->to[sink->length < sink->size ? sink->length : sink->size - 1] = 0;
    return step == FAILED ? -1 : (int)sink->length;
}
