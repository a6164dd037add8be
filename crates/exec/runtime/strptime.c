/* The parts of a date from text after a format, in the C locale. */

static const char *const day_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday"};
static const char *const month_names[12] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};

/* What was read besides the parts themselves. */
struct reading {
    struct tm *parts;
    int has_12_hours;
    int is_afternoon;
    int century; /* -1 if not read */
    int has_short_year;
    int needs_days; /* The days of the week and year follow from the date. */
    int has_weekday;
    int has_yearday;
    int has_month;
    int has_day;
    int has_sunday_week;
    int has_monday_week;
    int week;
};

static const char *read_format(struct reading *reading, const char *at, const char *format);

static const char *skip_spaces(const char *at) {
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* A number of at most `digits` digits within the range; NULL if there is none. */
static const char *number(const char *at, int low, int high, int digits, int *value) {
    int result = 0;
    while (*at == ' ')
        at++;
    if (!isdigit((unsigned char)*at))
        return NULL;
    do
        result = result * 10 + (*at++ - '0');
    while (--digits > 0 && result * 10 <= high && isdigit((unsigned char)*at));
    if (result < low || result > high)
        return NULL;
    *value = result;
    return at;
}

/* A full name or its first three letters. */
static const char *name(const char *at, const char *const *names, int count, int *index) {
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(names[i], at, length) != 0)
            length = 3;
        if (strncasecmp(names[i], at, length) == 0) {
            *index = i;
            return at + length;
        }
    }
    return NULL;
}

static const char *read_zone(struct reading *reading, const char *at) {
    at = skip_spaces(at);
    if (*at == 'Z') {
        reading->parts->tm_gmtoff = 0;
        return at + 1;
    }
    if (*at != '+' && *at != '-')
        return NULL;
    int is_west = *at++ == '-';
    int digits = 0, value = 0;
    for (; digits < 4 && isdigit((unsigned char)*at); at++) {
        value = value * 10 + (*at - '0');
        digits++;
        if (*at != 0 && digits == 2 && at[1] == ':')
            at++;
    }
    if (digits == 2)
        value *= 100;
    else if (digits != 4 || value % 100 >= 60)
        return NULL;
    long seconds = value / 100 * 3600L + value % 100 * 60L;
    reading->parts->tm_gmtoff = is_west ? -seconds : seconds;
    return at;
}

static const char *read_seconds_since_1970(struct reading *reading, const char *at) {
    if (!isdigit((unsigned char)*at))
        return NULL;
    time_t seconds = 0;
    while (isdigit((unsigned char)*at))
        seconds = (time_t)((unsigned long)seconds * 10 + (unsigned long)(*at++ - '0'));
    return localtime_r(&seconds, reading->parts) == NULL ? NULL : at;
}

static const char *read_half(struct reading *reading, const char *at) {
    if (strncasecmp(at, "AM", 2) != 0 && strncasecmp(at, "PM", 2) != 0)
        return NULL;
    reading->is_afternoon = tolower((unsigned char)*at) == 'p';
    return at + 2;
}

static const char *read_clock(struct reading *reading, const char *at, char letter) {
    struct tm *parts = reading->parts;
    switch (letter) {
    case 'H':
    case 'k':
        reading->has_12_hours = 0;
        return number(at, 0, 23, 2, &parts->tm_hour);
    case 'I':
    case 'l':
        at = number(at, 1, 12, 2, &parts->tm_hour);
        parts->tm_hour %= 12;
        reading->has_12_hours = 1;
        return at;
    case 'M': return number(at, 0, 59, 2, &parts->tm_min);
    case 'S': return number(at, 0, 61, 2, &parts->tm_sec);
    case 'p': return read_half(reading, at);
    case 'r': return read_format(reading, at, "%I:%M:%S %p");
    case 'R': return read_format(reading, at, "%H:%M");
    case 'X':
    case 'T': return read_format(reading, at, "%H:%M:%S");
    case 's': return read_seconds_since_1970(reading, at);
    case 'z': return read_zone(reading, at);
    default: /* Z: a name, which is skipped. */
        at = skip_spaces(at);
        while (*at != 0 && !isspace((unsigned char)*at))
            at++;
        return at;
    }
}

static const char *read_month(struct reading *reading, const char *at, char letter) {
    reading->needs_days = reading->has_month = 1;
    if (letter != 'm')
        return name(at, month_names, 12, &reading->parts->tm_mon);
    int month;
    at = number(at, 1, 12, 2, &month);
    if (at != NULL)
        reading->parts->tm_mon = month - 1;
    return at;
}

static const char *read_year(struct reading *reading, const char *at, char letter) {
    int value;
    at = letter == 'Y' ? number(at, 0, 9999, 4, &value) : number(at, 0, 99, 2, &value);
    if (at == NULL)
        return NULL;
    reading->needs_days = 1;
    if (letter == 'C') {
        reading->century = value;
        return at;
    }
    reading->has_short_year = letter == 'y';
    reading->parts->tm_year = letter == 'Y' ? value - 1900 : value >= 69 ? value : value + 100;
    return at;
}

static const char *read_week(struct reading *reading, const char *at, char letter) {
    struct tm *parts = reading->parts;
    int ignored;
    switch (letter) {
    case 'g': return number(at, 0, 99, 2, &ignored);
    case 'G': /* Digits that mean nothing here. */
        if (!isdigit((unsigned char)*at))
            return NULL;
        while (isdigit((unsigned char)*at))
            at++;
        return at;
    case 'V': return number(at, 0, 53, 2, &ignored);
    case 'U':
        reading->has_sunday_week = 1;
        return number(at, 0, 53, 2, &reading->week);
    case 'W':
        reading->has_monday_week = 1;
        return number(at, 0, 53, 2, &reading->week);
    case 'u':
        at = number(at, 1, 7, 1, &parts->tm_wday);
        parts->tm_wday %= 7;
        break;
    case 'w': at = number(at, 0, 6, 1, &parts->tm_wday); break;
    default: at = name(at, day_names, 7, &parts->tm_wday);
    }
    reading->has_weekday = 1;
    return at;
}

static const char *read_date(struct reading *reading, const char *at, char letter) {
    int value;
    switch (letter) {
    case 'c': return read_format(reading, at, "%a %b %e %H:%M:%S %Y");
    case 'x':
    case 'D': return read_format(reading, at, "%m/%d/%y");
    case 'F': return read_format(reading, at, "%Y-%m-%d");
    case 'j':
        at = number(at, 1, 366, 3, &value);
        if (at != NULL)
            reading->parts->tm_yday = value - 1;
        reading->has_yearday = 1;
        return at;
    default: /* d, e */
        reading->has_day = reading->needs_days = 1;
        return number(at, 1, 31, 2, &reading->parts->tm_mday);
    }
}

static const char *read_conversion(struct reading *reading, const char *at, char letter) {
    if (letter == 0)
        return NULL;
    if (strchr("HkIlMSprRXTszZ", letter) != NULL)
        return read_clock(reading, at, letter);
    if (strchr("mbBh", letter) != NULL)
        return read_month(reading, at, letter);
    if (strchr("YyC", letter) != NULL)
        return read_year(reading, at, letter);
    if (strchr("gGVUWuwaA", letter) != NULL)
        return read_week(reading, at, letter);
    if (strchr("cxDFjde", letter) != NULL)
        return read_date(reading, at, letter);
    if (letter == 'n' || letter == 't')
        return skip_spaces(at);
    return letter == '%' && *at == '%' ? at + 1 : NULL;
}

static const char *read_format(struct reading *reading, const char *at, const char *format) {
    for (; *format != 0; format++) {
        if (isspace((unsigned char)*format)) {
            at = skip_spaces(at);
            continue;
        }
        if (*format != '%') {
            if (*at++ != *format)
                return NULL;
            continue;
        }
        format++;
        while (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#')
            format++;
        const char *letters = *format == 'E' ? "cCyYxX" : *format == 'O' ? "bBdeHImMSUWVwy" : NULL;
        if (letters != NULL && (*++format == 0 || strchr(letters, *format) == NULL))
            return NULL;
        at = read_conversion(reading, at, *format);
        if (at == NULL)
            return NULL;
    }
    return at;
}

static int days_before(long year, int month) {
    static const short days[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month] + (month > 1 && is_leap);
}

/* A day before the year, which week 0 can give, is of month -1. */
static void set_date_from_yearday(struct tm *parts, int sets_month, int sets_day) {
    int month = parts->tm_yday < 0 ? -1 : 0;
    while (month >= 0 && month < 11 &&
           days_before(1900L + parts->tm_year, month + 1) <= parts->tm_yday)
        month++;
    if (sets_month)
        parts->tm_mon = month;
    if (sets_day)
        parts->tm_mday =
            parts->tm_yday - (month < 0 ? 0 : days_before(1900L + parts->tm_year, month)) + 1;
}

/* The day of the week of a day of the year, from 1 January as day 0. */
static int weekday_of(const struct tm *parts, int yearday) {
    long year = 1900L + parts->tm_year - 1;
    long era = (year >= 0 ? year : year - 399) / 400;
    long rest = year - era * 400;
    /* A cycle of 400 years is a number of whole weeks. */
    long days = rest * 365 + rest / 4 - rest / 100 + 1 + yearday;
    return (int)((days % 7 + 7) % 7);
}

static int yearday_of(const struct tm *parts) {
    return days_before(1900L + parts->tm_year, parts->tm_mon) + parts->tm_mday - 1;
}

static void set_days_from_week(const struct reading *reading) {
    struct tm *parts = reading->parts;
    int first = reading->has_sunday_week ? 0 : 1;
    if (!reading->has_yearday) {
        int start = weekday_of(parts, 0);
        parts->tm_yday = (7 - (start - first)) % 7 + (reading->week - 1) * 7 +
                         (parts->tm_wday - first + 7) % 7;
    }
    if (!reading->has_day || !reading->has_month)
        set_date_from_yearday(parts, !reading->has_month, !reading->has_day);
}

static void complete(struct reading *reading) {
    struct tm *parts = reading->parts;
    if (reading->has_12_hours && reading->is_afternoon)
        parts->tm_hour += 12;
    if (reading->century != -1) {
        int rest = reading->has_short_year ? parts->tm_year % 100 : 0;
        parts->tm_year = rest + (reading->century - 19) * 100;
    }
    if (reading->needs_days && !reading->has_weekday) {
        if (!(reading->has_month && reading->has_day) && reading->has_yearday)
            set_date_from_yearday(parts, !reading->has_month, !reading->has_day);
        if (parts->tm_mon >= 0 && parts->tm_mon < 12)
            parts->tm_wday = weekday_of(parts, yearday_of(parts));
    }
    if (reading->needs_days && !reading->has_yearday && parts->tm_mon >= 0 && parts->tm_mon < 12)
        parts->tm_yday = yearday_of(parts);
    if ((reading->has_sunday_week || reading->has_monday_week) && reading->has_weekday)
        set_days_from_week(reading);
}

char *strptime(const char *text, const char *format, struct tm *parts) {
    struct reading reading = {parts, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const char *end = read_format(&reading, text, format);
    if (end == NULL)
        return NULL;
    complete(&reading);
    return (char *)end;
}

char *strptime_l(const char *text, const char *format, struct tm *parts, void *locale) {
    (void)locale;
    return strptime(text, format, parts);
}
