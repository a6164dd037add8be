/* Conversion between ASCII, ISO 8859-1 and the encodings of Unicode. Other
 * names, and transliteration to narrower encodings, are refused. */

enum encoding { ASCII, LATIN1, UTF8, UTF16, UTF32, UCS2 };

/* The byte orders; a mark at the start says which, else it is little. */
enum order { LITTLE, BIG, MARKED };

struct side {
    enum encoding encoding;
    enum order order;
};

struct converter {
    struct side from;
    struct side to;
    int skips; /* //IGNORE: what cannot be converted is left out. */
    int has_read_mark;
    int has_written_mark;
    enum order read_order;
};

struct name {
    const char *name;
    struct side side;
};

static const struct name names[] = {
    {"", {ASCII, LITTLE}},           {"ASCII", {ASCII, LITTLE}},
    {"US-ASCII", {ASCII, LITTLE}},   {"ANSI_X3.4-1968", {ASCII, LITTLE}},
    {"ISO-8859-1", {LATIN1, LITTLE}}, {"ISO8859-1", {LATIN1, LITTLE}},
    {"ISO_8859-1", {LATIN1, LITTLE}}, {"LATIN1", {LATIN1, LITTLE}},
    {"L1", {LATIN1, LITTLE}},        {"CP819", {LATIN1, LITTLE}},
    {"UTF-8", {UTF8, LITTLE}},       {"UTF8", {UTF8, LITTLE}},
    {"UTF-16", {UTF16, MARKED}},     {"UTF16", {UTF16, MARKED}},
    {"UTF-16LE", {UTF16, LITTLE}},   {"UTF16LE", {UTF16, LITTLE}},
    {"UTF-16BE", {UTF16, BIG}},      {"UTF16BE", {UTF16, BIG}},
    {"UTF-32", {UTF32, MARKED}},     {"UTF32", {UTF32, MARKED}},
    {"UTF-32LE", {UTF32, LITTLE}},   {"UTF32LE", {UTF32, LITTLE}},
    {"UTF-32BE", {UTF32, BIG}},      {"UTF32BE", {UTF32, BIG}},
    {"UCS-4", {UTF32, BIG}},         {"UCS4", {UTF32, BIG}},
    {"UCS-4BE", {UTF32, BIG}},       {"UCS-4LE", {UTF32, LITTLE}},
    {"WCHAR_T", {UTF32, LITTLE}},    {"UCS-2", {UCS2, LITTLE}},
    {"UCS2", {UCS2, LITTLE}},        {"UCS-2LE", {UCS2, LITTLE}},
    {"UCS-2BE", {UCS2, BIG}},        {NULL, {ASCII, LITTLE}},
};

/* Reads "NAME//SUFFIX". */
static int find(const char *text, struct side *side, int *skips, int *transliterates) {
    size_t length = (size_t)(strchrnul(text, '/') - text);
    const char *suffix = text + length;
    *skips = strcasecmp(suffix, "//IGNORE") == 0;
    *transliterates = strcasecmp(suffix, "//TRANSLIT") == 0;
    if (!*skips && !*transliterates && suffix[strspn(suffix, "/")] != 0)
        return 0;
    for (const struct name *at = names; at->name != NULL; at++)
        if (strlen(at->name) == length && strncasecmp(at->name, text, length) == 0) {
            *side = at->side;
            return 1;
        }
    return 0;
}

void *iconv_open(const char *to, const char *from) {
    struct converter converter = {0};
    int ignored, transliterates;
    if (!find(from, &converter.from, &ignored, &ignored) ||
        !find(to, &converter.to, &converter.skips, &transliterates) ||
        (transliterates && converter.to.encoding < UTF8)) {
        errno = EINVAL;
        return (void *)-1L;
    }
    struct converter *result = malloc(sizeof converter);
    if (result == NULL)
        return (void *)-1L;
    *result = converter;
    return result;
}

int iconv_close(void *descriptor) {
    free(descriptor);
    return 0;
}

#define INCOMPLETE 0
#define ILLEGAL (-1)

static unsigned unit(const unsigned char *at, int size, enum order order) {
    unsigned value = 0;
    for (int i = 0; i < size; i++)
        value |= (unsigned)at[i] << 8 * (order == BIG ? size - 1 - i : i);
    return value;
}

static int decode_utf8(const unsigned char *at, size_t left, unsigned *c) {
    /* The old forms of five and six bytes are illegal, but only once complete. */
    static const unsigned least[7] = {0, 0, 0x80, 0x800, 0x10000, UINT_MAX, UINT_MAX};
    if ((*at >= 0x80 && *at < 0xc2) || *at >= 0xfe)
        return ILLEGAL;
    int length = *at < 0x80 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf8 ? 4 : *at < 0xfc ? 5 : 6;
    unsigned value = length == 1 ? *at : *at & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((size_t)i == left)
            return INCOMPLETE;
        if ((at[i] & 0xc0) != 0x80)
            return ILLEGAL;
        value = value << 6 | (at[i] & 0x3f);
    }
    *c = value;
    return value < least[length] || (value >= 0xd800 && value < 0xe000) ? ILLEGAL : length;
}

static int decode_utf16(const unsigned char *at, size_t left, enum order order, unsigned *c) {
    if (left < 2)
        return INCOMPLETE;
    unsigned first = unit(at, 2, order);
    *c = first;
    if (first < 0xd800 || first >= 0xe000)
        return 2;
    if (first >= 0xdc00)
        return ILLEGAL;
    if (left < 4)
        return INCOMPLETE;
    unsigned second = unit(at + 2, 2, order);
    if (second < 0xdc00 || second >= 0xe000)
        return ILLEGAL;
    *c = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    return 4;
}

static int decode_wide(const unsigned char *at, size_t left, int size, enum order order,
                       unsigned *c) {
    if (left < (size_t)size)
        return INCOMPLETE;
    *c = unit(at, size, order);
    return *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? ILLEGAL : size;
}

/* How many bytes the next character takes, or why there is none. */
static int decode(const struct converter *converter, const unsigned char *at, size_t left,
                  unsigned *c) {
    enum order order = converter->read_order;
    switch (converter->from.encoding) {
    case ASCII: *c = *at; return *at < 0x80 ? 1 : ILLEGAL;
    case LATIN1: *c = *at; return 1;
    case UTF8: return decode_utf8(at, left, c);
    case UTF16: return decode_utf16(at, left, order, c);
    case UTF32: return decode_wide(at, left, 4, order, c);
    case UCS2: return decode_wide(at, left, 2, order, c);
    }
    return ILLEGAL;
}

static int put_unit(unsigned char *to, unsigned value, int size, enum order order) {
    for (int i = 0; i < size; i++)
        to[order == BIG ? size - 1 - i : i] = (unsigned char)(value >> 8 * i);
    return size;
}

static int encode_utf8(unsigned c, unsigned char *to) {
    if (c < 0x80)
        return put_unit(to, c, 1, BIG);
    int length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, c >>= 6)
        to[i] = (unsigned char)(0x80 | (c & 0x3f));
    to[0] = (unsigned char)(0xf00 >> length | c);
    return length;
}

/* The bytes of a character; ILLEGAL if the encoding has no such character. */
static int encode(struct side side, unsigned c, unsigned char *to) {
    switch (side.encoding) {
    case ASCII: return c < 0x80 ? put_unit(to, c, 1, BIG) : ILLEGAL;
    case LATIN1: return c < 0x100 ? put_unit(to, c, 1, BIG) : ILLEGAL;
    case UTF8: return encode_utf8(c, to);
    case UTF32: return c > 0x10ffff ? ILLEGAL : put_unit(to, c, 4, side.order);
    case UCS2: return c > 0xffff ? ILLEGAL : put_unit(to, c, 2, side.order);
    case UTF16:
        if (c < 0x10000)
            return put_unit(to, c, 2, side.order);
        if (c > 0x10ffff)
            return ILLEGAL;
        put_unit(to, 0xd800 + ((c - 0x10000) >> 10), 2, side.order);
        put_unit(to + 2, 0xdc00 + (c & 0x3ff), 2, side.order);
        return 4;
    }
    return ILLEGAL;
}

/* Decides the byte order of the input by its mark, which is skipped. */
static size_t read_mark(struct converter *converter, const unsigned char *at, size_t left) {
    int size = converter->from.encoding == UTF16 ? 2 : 4;
    converter->read_order = converter->from.order == BIG ? BIG : LITTLE;
    converter->has_read_mark = 1;
    if (converter->from.order != MARKED || left < (size_t)size)
        return 0;
    if (unit(at, size, LITTLE) == 0xfeff)
        return (size_t)size;
    if (unit(at, size, BIG) != 0xfeff)
        return 0;
    converter->read_order = BIG;
    return (size_t)size;
}

static int append(char **to, size_t *room, const unsigned char *bytes, int length) {
    if (*room < (size_t)length) {
        errno = E2BIG;
        return 0;
    }
    memcpy(*to, bytes, (size_t)length);
    *to += length;
    *room -= (size_t)length;
    return 1;
}

/* How many bytes of an illegal sequence to leave out. */
static size_t skipped(const struct converter *converter, const unsigned char *at, size_t left) {
    switch (converter->from.encoding) {
    case UTF16:
    case UCS2: return 2;
    case UTF32: return 4;
    default: break;
    }
    size_t length = 1;
    while (converter->from.encoding == UTF8 && *at >= 0xc2 && length < left && length < 4 &&
           (at[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* Writes the mark before the first character. A full output is found before a
 * character that the encoding lacks. */
static int begin_character(struct converter *converter, char **to, size_t *room) {
    unsigned char bytes[4];
    if (!converter->has_written_mark && converter->to.order == MARKED &&
        !append(to, room, bytes, encode(converter->to, 0xfeff, bytes)))
        return 0;
    converter->has_written_mark = 1;
    if (*room >= (size_t)encode(converter->to, 0, bytes))
        return 1;
    errno = E2BIG;
    return 0;
}

size_t iconv(void *descriptor, char **from, size_t *left, char **to, size_t *room) {
    struct converter *converter = descriptor;
    unsigned char bytes[4];
    int has_skipped = 0;
    if (from == NULL || *from == NULL) {
        converter->has_read_mark = converter->has_written_mark = 0;
        return 0;
    }
    while (*left > 0) {
        const unsigned char *at = (const unsigned char *)*from;
        unsigned c;
        int length;
        if (!converter->has_read_mark) {
            size_t mark = read_mark(converter, at, *left);
            *from += mark;
            *left -= mark;
            continue;
        }
        length = decode(converter, at, *left, &c);
        if (length == INCOMPLETE) {
            errno = EINVAL;
            return (size_t)-1;
        }
        if (length != ILLEGAL && !begin_character(converter, to, room))
            return (size_t)-1;
        int size = length == ILLEGAL ? ILLEGAL : encode(converter->to, c, bytes);
        if (size != ILLEGAL) {
            if (!append(to, room, bytes, size))
                return (size_t)-1;
        } else if (converter->skips) {
            length = length == ILLEGAL ? (int)skipped(converter, at, *left) : length;
            has_skipped = 1;
        } else {
            errno = EILSEQ;
            return (size_t)-1;
        }
        *from += length;
        *left -= (size_t)length;
    }
    if (!has_skipped)
        return 0;
    errno = EILSEQ;
    return (size_t)-1;
}
