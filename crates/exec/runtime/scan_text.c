/* Text in scanf: `%c %s %[`, narrow, wide and in new blocks. In the C locale a
 * wide character is one byte of ASCII; a byte without a wide form ends the
 * call. */

/* Where the bytes of a conversion go. */
struct target {
    char *to; /* Nowhere if the conversion is suppressed. */
    char **cell; /* Where the address of a new block goes. */
    size_t length;
    size_t room; /* Of a new block, in characters. */
    int is_wide;
};

static void begin(struct scan *scan, const struct scan_spec *spec, int is_wide,
                  struct target *target) {
    void *pointer = __ripple_scan_pointer(scan, spec);
    target->is_wide = is_wide;
    target->length = target->room = 0;
    target->cell = NULL;
    target->to = pointer;
    if (spec->allocates && pointer != NULL) {
        target->cell = pointer;
        target->to = NULL;
    }
}

static void resize(struct target *target, size_t room) {
    char *block = realloc(target->to, target->is_wide ? room * sizeof(wchar_t) : room);
    if (block == NULL)
        abort();
    target->to = block;
    target->room = room;
}

static void put(struct target *target, int c) {
    if (target->cell != NULL && target->length == target->room)
        resize(target, target->room == 0 ? 32 : 2 * target->room);
    if (target->to == NULL)
        return;
    if (target->is_wide)
        ((wchar_t *)target->to)[target->length] = c;
    else
        target->to[target->length] = (char)c;
    target->length++;
}

static enum scan_step finish(struct scan *scan, struct target *target) {
    if (target->cell != NULL) {
        resize(target, target->length);
        *target->cell = target->to;
    }
    if (target->to != NULL)
        scan->assigned++;
    return SCAN_GOES_ON;
}

static enum scan_step fail(struct target *target) {
    if (target->cell != NULL)
        free(target->to);
    errno = EILSEQ;
    return SCAN_MISMATCH;
}

enum scan_step __ripple_scan_characters(struct scan *scan, struct scan_spec *spec, int is_wide) {
    struct target target;
    begin(scan, spec, is_wide, &target);
    int left = spec->width < 0 ? 1 : spec->width;
    int c = __ripple_scan_next(scan);
    if (c == EOF)
        return SCAN_INPUT_ENDED;
    for (;;) {
        if (is_wide && c >= 0x80)
            return fail(&target);
        put(&target, c);
        if (--left == 0)
            break;
        c = __ripple_scan_next(scan);
        if (c == EOF)
            break;
    }
    return finish(scan, &target);
}

/* The set of a `%[`: the part of the format between the brackets. */
struct set {
    const char *begin;
    const char *end;
    int is_negated;
};

/* 0 if the set is not closed. */
static int read_set(struct scan *scan, struct set *set) {
    set->is_negated = *scan->format == '^';
    scan->format += set->is_negated;
    set->begin = set->end = scan->format;
    while (*set->end != ']' || set->end == set->begin) {
        if (*set->end == 0)
            return 0;
        set->end++;
    }
    scan->format = set->end + 1;
    return 1;
}

/* Without branches on the byte, so that its membership is one condition. */
static int is_in(const struct set *set, int c) {
    int found = 0;
    for (const char *at = set->begin; at < set->end; at++) {
        unsigned byte = (unsigned char)*at;
        if (byte == '-' && at > set->begin && at + 1 < set->end) {
            unsigned low = (unsigned char)at[-1], high = (unsigned char)at[1];
            if (low <= high) {
                found |= (unsigned)c - low < high - low;
                continue;
            }
        }
        found |= (unsigned)c == byte;
    }
    return found ^ set->is_negated;
}

/* Bytes of the set, or without one bytes that are not white space; the first
 * other one is given back. */
static enum scan_step span(struct scan *scan, struct scan_spec *spec, const struct set *set,
                           struct target *target) {
    int c = __ripple_scan_next(scan);
    if (c == EOF)
        return SCAN_INPUT_ENDED;
    int count = 0, left = spec->width;
    while (c != EOF) {
        int is_wanted = set != NULL ? is_in(set, c) : !((c == ' ') | ((unsigned)c - '\t' < 5));
        if (!is_wanted) {
            __ripple_scan_unget(scan);
            break;
        }
        count++;
        if (target->is_wide && c >= 0x80)
            return fail(target);
        put(target, c);
        if (--left == 0)
            break;
        c = __ripple_scan_next(scan);
    }
    if (set != NULL && count == 0)
        return SCAN_MISMATCH;
    put(target, 0);
    return finish(scan, target);
}

enum scan_step __ripple_scan_string(struct scan *scan, struct scan_spec *spec, int is_wide) {
    struct target target;
    begin(scan, spec, is_wide, &target);
    return span(scan, spec, NULL, &target);
}

enum scan_step __ripple_scan_set(struct scan *scan, struct scan_spec *spec) {
    struct target target;
    struct set set;
    begin(scan, spec, spec->size >= 8, &target);
    if (!read_set(scan, &set))
        return SCAN_MISMATCH;
    return span(scan, spec, &set, &target);
}
