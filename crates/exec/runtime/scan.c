/* The scanf engine: a format directs how bytes become stored values. What is
 * consumed, stored and returned is what the native library does, also on
 * failure: at most one byte is given back, so the beginning of something that
 * turns out not to be a number stays consumed.
 *
 * Classes of bytes are computed without branches, so that each byte of unknown
 * value is one condition and not several. */

static int is_space(int c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }

/* The next byte, or EOF. */
int __ripple_scan_next(struct scan *scan) {
    if (scan->has_ended) {
        errno = scan->error_at_end;
        return EOF;
    }
    int c;
    if (scan->text != NULL) {
        c = (unsigned char)*scan->text;
        if (c == 0)
            c = EOF;
        else
            scan->text++;
    } else {
        c = fgetc(scan->stream);
    }
    if (c == EOF) {
        scan->has_ended = 1;
        scan->error_at_end = errno;
    } else {
        scan->current = c;
        scan->read++;
    }
    return c;
}

/* Gives back the byte read last. */
void __ripple_scan_unget(struct scan *scan) {
    if (scan->has_ended)
        return;
    if (scan->text != NULL)
        scan->text--;
    else
        ungetc(scan->current, scan->stream);
    scan->read--;
}

/* The pointer that a conversion stores through; none if it is suppressed. */
void *__ripple_scan_pointer(struct scan *scan, const struct scan_spec *spec) {
    if (spec->is_suppressed)
        return NULL;
    void *pointer = NULL;
    if (spec->index == 0) {
        pointer = va_arg(scan->arguments, void *);
    } else {
        va_list arguments;
        va_copy(arguments, scan->first);
        for (int i = 0; i < spec->index; i++)
            pointer = va_arg(arguments, void *);
        va_end(arguments);
    }
    scan->unfilled = spec->allocates ? pointer : NULL;
    return pointer;
}

/* White space before a conversion, which leaves errno alone. */
static void eat_space(struct scan *scan) {
    scan->skips_space = 0;
    if (scan->has_ended)
        return;
    if (scan->text != NULL) {
        const char *at = scan->text;
        while ((*at == ' ') | ((unsigned)(*at - '\t') < 5))
            at++;
        scan->read += at - scan->text;
        scan->text = at;
        if (*at == 0) {
            scan->has_ended = 1;
            scan->error_at_end = 0;
        }
        return;
    }
    int error = errno;
    errno = 0;
    int c = __ripple_scan_next(scan);
    while (is_space(c))
        c = __ripple_scan_next(scan);
    errno = error;
    __ripple_scan_unget(scan);
}

static enum scan_step literal(struct scan *scan, int expected) {
    int c = __ripple_scan_next(scan);
    if (scan->skips_space)
        while (is_space(c))
            c = __ripple_scan_next(scan);
    if (c == EOF)
        return SCAN_INPUT_ENDED;
    scan->skips_space = 0;
    if (c == expected)
        return SCAN_GOES_ON;
    __ripple_scan_unget(scan);
    return SCAN_MISMATCH;
}

/* A decimal number in the format, capped; -1 if there is no digit. */
static int format_number(struct scan *scan) {
    if ((unsigned)*scan->format - '0' > 9)
        return -1;
    long number = 0;
    for (; (unsigned)*scan->format - '0' <= 9; scan->format++) {
        number = number * 10 + (*scan->format - '0');
        if (number > INT_MAX)
            number = INT_MAX;
    }
    return (int)number;
}

static int read_size(struct scan *scan) {
    switch (*scan->format) {
    case 'h':
        scan->format++;
        if (*scan->format != 'h')
            return 2;
        scan->format++;
        return 1;
    case 'l':
        scan->format++;
        if (*scan->format != 'l')
            return 8;
        scan->format++;
        return 16;
    case 'j':
    case 'z':
    case 't':
        scan->format++;
        return 8;
    case 'L':
    case 'q':
        scan->format++;
        return 16;
    default:
        return 4;
    }
}

/* Reads what follows a `%`. 0 if the format ends in it. */
static int read_spec(struct scan *scan, struct scan_spec *spec) {
    spec->is_suppressed = spec->allocates = spec->index = 0;
    int width = format_number(scan);
    if (width >= 0 && *scan->format == '$') {
        scan->format++;
        spec->index = width;
        width = -1;
    }
    if (width < 0) {
        for (; *scan->format == '*' || *scan->format == '\'' || *scan->format == 'I'; scan->format++)
            if (*scan->format == '*')
                spec->is_suppressed = 1;
        width = format_number(scan);
    }
    spec->width = width > 0 ? width : -1;
    if (*scan->format == 'm') {
        scan->format++;
        spec->allocates = 1;
    }
    spec->size = read_size(scan);
    spec->letter = *scan->format;
    if (spec->letter == 0)
        return 0;
    scan->format++;
    return 1;
}

static void store_count(struct scan *scan, const struct scan_spec *spec) {
    void *to = __ripple_scan_pointer(scan, spec);
    if (to == NULL)
        return;
    if (spec->size == 1)
        *(char *)to = (char)scan->read;
    else if (spec->size == 2)
        *(short *)to = (short)scan->read;
    else if (spec->size == 4)
        *(int *)to = (int)scan->read;
    else
        *(long *)to = scan->read;
}

/* A conversion that reads what is not white space. */
static enum scan_step word(struct scan *scan, struct scan_spec *spec) {
    switch (spec->letter) {
    case '%':
        return literal(scan, '%');
    case 'd':
    case 'u':
        return __ripple_scan_integer(scan, spec, 10);
    case 'i':
        return __ripple_scan_integer(scan, spec, 0);
    case 'o':
        return __ripple_scan_integer(scan, spec, 8);
    case 'p':
        spec->size = 8;
        return __ripple_scan_integer(scan, spec, 16);
    case 'x':
    case 'X':
        return __ripple_scan_integer(scan, spec, 16);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return __ripple_scan_float(scan, spec);
    case 's':
        return __ripple_scan_string(scan, spec, spec->size >= 8);
    case 'S':
        return __ripple_scan_string(scan, spec, 1);
    default:
        return SCAN_MISMATCH;
    }
}

/* Whether a conversion reads a number in base ten. */
static int is_decimal(int letter) {
    switch (letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return 1;
    default:
        return 0;
    }
}

static enum scan_step conversion(struct scan *scan, struct scan_spec *spec) {
    switch (spec->letter) {
    case 'n':
    case 'c':
    case 'C':
    case '[':
        if (scan->skips_space)
            eat_space(scan);
        if (spec->letter == 'n') {
            store_count(scan, spec);
            return SCAN_GOES_ON;
        }
        if (spec->letter == '[')
            return __ripple_scan_set(scan, spec);
        return __ripple_scan_characters(scan, spec, spec->letter == 'C' || spec->size >= 8);
    default:
        break;
    }
    if (!is_decimal(spec->letter)) {
        eat_space(scan);
        return word(scan, spec);
    }
    /* A declared integer has no white space in front; asking for it first
     * spares it the question whether it begins with some. */
    int is_atom;
    long read = scan->read;
    enum scan_step step = __ripple_scan_atom(scan, spec, &is_atom);
    if (is_atom)
        return step;
    eat_space(scan);
    if (scan->read != read) {
        step = __ripple_scan_atom(scan, spec, &is_atom);
        if (is_atom)
            return step;
    }
    return word(scan, spec);
}

static enum scan_step run(struct scan *scan) {
    while (*scan->format != 0) {
        int c = (unsigned char)*scan->format++;
        enum scan_step step = SCAN_GOES_ON;
        if (c == '%') {
            struct scan_spec spec;
            if (!read_spec(scan, &spec))
                return SCAN_MISMATCH;
            step = conversion(scan, &spec);
        } else if (is_space(c)) {
            scan->skips_space = 1;
        } else {
            step = literal(scan, c);
        }
        if (step != SCAN_GOES_ON)
            return step;
    }
    if (scan->skips_space) {
        while (is_space(__ripple_scan_next(scan))) {
        }
        __ripple_scan_unget(scan);
    }
    return SCAN_GOES_ON;
}

int __ripple_scan(const char *text, FILE *stream, const char *format, va_list arguments) {
    struct scan scan;
    scan.text = text;
    scan.stream = stream;
    scan.format = format;
    va_copy(scan.arguments, arguments);
    va_copy(scan.first, arguments);
    scan.has_ended = scan.skips_space = scan.assigned = 0;
    scan.read = 0;
    scan.unfilled = NULL;
    enum scan_step step = run(&scan);
    va_end(scan.arguments);
    va_end(scan.first);
    if (step != SCAN_INPUT_ENDED || scan.assigned != 0)
        return scan.assigned;
    /* The native library has a block ready before it reads, and takes it back. */
    if (scan.unfilled != NULL)
        *scan.unfilled = NULL;
    return EOF;
}
