/* A date as text after a format, in the C locale. */

extern char *tzname[2];
void tzset(void);

/* The place to write to; counts on when it is full. */
struct output {
    char *to;
    size_t size;
    size_t length;
};

/* What stands between % and the letter. */
struct spec {
    char pad; /* 0 if not given */
    int is_upper;
    int is_swapped; /* the flag # */
    int width;      /* -1 if not given */
};

static const char *const day_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday"};
static const char *const month_names[12] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};

static void put(struct output *out, char c) {
    if (out->length < out->size)
        out->to[out->length] = c;
    out->length++;
}

static void put_padding(struct output *out, char c, int count) {
    for (; count > 0 && out->length < out->size; count--)
        put(out, c);
}

static void put_text(struct output *out, const struct spec *spec, const char *text, int length) {
    put_padding(out, spec->pad == '0' || spec->pad == '+' ? '0' : ' ', spec->width - length);
    for (int i = 0; i < length; i++)
        put(out, (char)(spec->is_upper ? toupper((unsigned char)text[i]) : text[i]));
}

static void put_name(struct output *out, struct spec spec, const char *name, int length) {
    if (spec.is_swapped)
        spec.is_upper = 1;
    put_text(out, &spec, name, length < 0 ? (int)strlen(name) : length);
}

/* A number of at least `digits` digits, padded with `pad` unless the spec says
 * otherwise. */
static void put_number(struct output *out, struct spec spec, long value, int digits, char pad) {
    char text[32];
    char *at = text + sizeof text;
    int is_negative = value < 0;
    unsigned long rest = is_negative ? -(unsigned long)value : (unsigned long)value;
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (spec.pad != 0)
        pad = spec.pad;
    if (digits < spec.width)
        digits = spec.width;
    int missing = digits - is_negative - (int)(text + sizeof text - at);
    if (pad == '_') {
        if (is_negative)
            *--at = '-';
        put_padding(out, ' ', missing);
        spec.width -= missing > 0 ? missing : 0;
    } else {
        for (; pad != '-' && missing > 0; missing--)
            *--at = '0';
        if (is_negative)
            *--at = '-';
    }
    put_text(out, &spec, at, (int)(text + sizeof text - at));
}

static int is_leap(long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The ISO 8601 week: 1 to 53; moves the year to the one that the week is of. */
static int iso_week(const struct tm *parts, long *year) {
    int weekday = (parts->tm_wday + 6) % 7; /* From Monday. */
    int week = (parts->tm_yday - weekday + 10) / 7;
    int length = 365 + is_leap(*year);
    if (parts->tm_yday - weekday + 3 < 0) {
        --*year;
        week = (parts->tm_yday + 365 + is_leap(*year) - weekday + 10) / 7;
    } else if (parts->tm_yday - weekday + 3 >= length) {
        ++*year;
        week = 1;
    }
    return week;
}

static long floor_divide(long n, long by) { return n / by - (n % by < 0); }

static void put_zone(struct output *out, struct spec spec, const struct tm *parts) {
    if (parts->tm_isdst < 0)
        return;
    long minutes = parts->tm_gmtoff / 60;
    int is_west = parts->tm_gmtoff < 0;
    long distance = is_west ? -minutes : minutes;
    long value = distance / 60 * 100 + distance % 60;
    put_text(out, &spec, is_west ? "-" : "+", 1); /* The width counts for each. */
    put_number(out, spec, value, 4, '0');
}

static void format_into(struct output *out, const char *format, const struct tm *parts);

static void put_composed(struct output *out, struct spec spec, const char *format,
                         const struct tm *parts) {
    char text[200];
    struct output inner = {text, sizeof text, 0};
    format_into(&inner, format, parts);
    put_text(out, &spec, text, (int)(inner.length < sizeof text ? inner.length : sizeof text));
}

static void put_seconds_since_1970(struct output *out, struct spec spec, const struct tm *parts) {
    struct tm copy = *parts;
    struct spec narrow = {spec.pad, 0, 0, -1};
    char text[32];
    struct output inner = {text, sizeof text, 0};
    put_number(&inner, narrow, mktime(&copy), 1, '0');
    put_text(out, &spec, text, (int)inner.length);
}

static const char *name_of(const char *const *names, int index, int count) {
    return index < 0 || index >= count ? "?" : names[index];
}

static int short_length(const char *name) { return *name == '?' ? 1 : 3; }

/* A date without a zone is in the local one. */
static const char *zone_name(const struct tm *parts) {
    if (parts->tm_zone != NULL && *parts->tm_zone != 0)
        return parts->tm_zone;
    tzset();
    return parts->tm_isdst < 0 ? "" : tzname[parts->tm_isdst != 0];
}

static int put_names(struct output *out, struct spec spec, char letter, const struct tm *parts) {
    const char *day = name_of(day_names, parts->tm_wday, 7);
    const char *month = name_of(month_names, parts->tm_mon, 12);
    const char *half = parts->tm_hour > 11 ? "PM" : "AM";
    switch (letter) {
    case 'a': put_name(out, spec, day, short_length(day)); return 1;
    case 'A': put_name(out, spec, day, -1); return 1;
    case 'b':
    case 'h': put_name(out, spec, month, short_length(month)); return 1;
    case 'B': put_name(out, spec, month, -1); return 1;
    case 'P':
        spec.is_upper = 0;
        put_text(out, &spec, parts->tm_hour > 11 ? "pm" : "am", 2);
        return 1;
    case 'p':
        if (spec.is_swapped) {
            half = parts->tm_hour > 11 ? "pm" : "am";
            spec.is_upper = 0;
        }
        put_text(out, &spec, half, 2);
        return 1;
    case 'Z': {
        const char *zone = zone_name(parts);
        char lower[64];
        int length = 0;
        for (; zone[length] != 0 && length < 63; length++)
            lower[length] = (char)tolower((unsigned char)zone[length]);
        if (spec.is_swapped)
            spec.is_upper = 0;
        put_text(out, &spec, spec.is_swapped ? lower : zone, length);
        return 1;
    }
    default: return 0;
    }
}

static int put_compositions(struct output *out, struct spec spec, char letter,
                            const struct tm *parts) {
    switch (letter) {
    case 'c': put_composed(out, spec, "%a %b %e %H:%M:%S %Y", parts); return 1;
    case 'D':
    case 'x': put_composed(out, spec, "%m/%d/%y", parts); return 1;
    case 'F': put_composed(out, spec, "%Y-%m-%d", parts); return 1;
    case 'r': put_composed(out, spec, "%I:%M:%S %p", parts); return 1;
    case 'R': put_composed(out, spec, "%H:%M", parts); return 1;
    case 'T':
    case 'X': put_composed(out, spec, "%H:%M:%S", parts); return 1;
    case 'n': put_text(out, &spec, "\n", 1); return 1;
    case 't': put_text(out, &spec, "\t", 1); return 1;
    case '%': put_text(out, &spec, "%", 1); return 1;
    default: return 0;
    }
}

static int put_numbers(struct output *out, struct spec spec, char letter, const struct tm *parts) {
    int hour = parts->tm_hour > 12 ? parts->tm_hour - 12 : parts->tm_hour == 0 ? 12 : parts->tm_hour;
    int weekday = (parts->tm_wday + 6) % 7;
    long year = 1900L + parts->tm_year;
    long iso_year = year;
    int week = iso_week(parts, &iso_year);
    switch (letter) {
    case 'C': put_number(out, spec, floor_divide(year, 100), 1, '0'); return 1;
    case 'd': put_number(out, spec, parts->tm_mday, 2, '0'); return 1;
    case 'e': put_number(out, spec, parts->tm_mday, 2, '_'); return 1;
    case 'g': put_number(out, spec, (iso_year % 100 + 100) % 100, 2, '0'); return 1;
    case 'G': put_number(out, spec, iso_year, 1, '0'); return 1;
    case 'H': put_number(out, spec, parts->tm_hour, 2, '0'); return 1;
    case 'I': put_number(out, spec, hour, 2, '0'); return 1;
    case 'j': put_number(out, spec, 1L + parts->tm_yday, 3, '0'); return 1;
    case 'k': put_number(out, spec, parts->tm_hour, 2, '_'); return 1;
    case 'l': put_number(out, spec, hour, 2, '_'); return 1;
    case 'm': put_number(out, spec, parts->tm_mon + 1L, 2, '0'); return 1;
    case 'M': put_number(out, spec, parts->tm_min, 2, '0'); return 1;
    case 's': put_seconds_since_1970(out, spec, parts); return 1;
    case 'S': put_number(out, spec, parts->tm_sec, 2, '0'); return 1;
    case 'u': put_number(out, spec, weekday + 1, 1, '0'); return 1;
    case 'U': put_number(out, spec, (parts->tm_yday - parts->tm_wday + 7) / 7, 2, '0'); return 1;
    case 'V': put_number(out, spec, week, 2, '0'); return 1;
    case 'w': put_number(out, spec, parts->tm_wday, 1, '0'); return 1;
    case 'W': put_number(out, spec, (parts->tm_yday - weekday + 7) / 7, 2, '0'); return 1;
    case 'y': put_number(out, spec, (year % 100 + 100) % 100, 2, '0'); return 1;
    case 'Y': put_number(out, spec, year, 1, '0'); return 1;
    case 'z': put_zone(out, spec, parts); return 1;
    default: return 0;
    }
}

static const char *read_spec(const char *at, struct spec *spec) {
    struct spec none = {0, 0, 0, -1};
    *spec = none;
    for (;; at++) {
        if (*at == '_' || *at == '-' || *at == '0')
            spec->pad = *at;
        else if (*at == '^')
            spec->is_upper = 1;
        else if (*at == '#')
            spec->is_swapped = 1;
        else
            break;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        int width = spec->width < 0 ? 0 : spec->width;
        spec->width = width > (INT_MAX - 9) / 10 ? INT_MAX : width * 10 + (*at - '0');
    }
    return at;
}

/* Some letters cannot follow the modifiers E and O. */
static int can_follow(char modifier, char letter) {
    const char *refused = modifier == 'E' ? "ABDFGHIMSUVWabdeghjklmw" : "ADFXYacx";
    return modifier == 0 || strchr(refused, letter) == NULL;
}

static void format_into(struct output *out, const char *format, const struct tm *parts) {
    for (const char *at = format; *at != 0; at++) {
        if (*at != '%') {
            put(out, *at);
            continue;
        }
        struct spec spec;
        const char *start = at;
        at = read_spec(at + 1, &spec);
        char modifier = *at == 'E' || *at == 'O' ? *at++ : 0;
        if (can_follow(modifier, *at) &&
            (put_numbers(out, spec, *at, parts) || put_names(out, spec, *at, parts) ||
             put_compositions(out, spec, *at, parts)))
            continue;
        if (*at == 0)
            at--;
        /* What is no conversion is copied, by the native library's way. */
        if (spec.is_swapped && modifier == 'E' && (*at == 'b' || *at == 'h'))
            spec.is_upper = 1;
        put_text(out, &spec, start, (int)(at - start) + 1);
    }
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *parts) {
    struct output out = {to, size, 0};
    format_into(&out, format, parts);
    if (out.length >= size)
        return 0;
    to[out.length] = 0;
    return out.length;
}

size_t strftime_l(char *to, size_t size, const char *format, const struct tm *parts,
                  void *locale) {
    (void)locale;
    return strftime(to, size, format, parts);
}
