/* A date as text in the fixed form "Sun Jan  1 00:00:00 2023\n". */

struct tm *localtime(const time_t *time);

static char *print(const struct tm *parts, char *to, size_t size) {
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (parts == NULL) {
        errno = EINVAL;
        return NULL;
    }
    if (parts->tm_year > INT_MAX - 1900) {
        errno = EOVERFLOW;
        return NULL;
    }
    int day = parts->tm_wday, month = parts->tm_mon;
    const char *day_name = day < 0 || day > 6 ? "???" : days + 3 * day;
    const char *month_name = month < 0 || month > 11 ? "???" : months + 3 * month;
    int length = snprintf(to, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day_name, month_name,
                          parts->tm_mday, parts->tm_hour, parts->tm_min, parts->tm_sec,
                          1900 + parts->tm_year);
    if (length < 0 || (size_t)length >= size) {
        errno = EOVERFLOW;
        return NULL;
    }
    return to;
}

char *asctime_r(const struct tm *parts, char *to) { return print(parts, to, 26); }

char *asctime(const struct tm *parts) {
    static char text[114];
    return print(parts, text, sizeof text);
}

char *ctime(const time_t *time) { return asctime(localtime(time)); }

char *ctime_r(const time_t *time, char *to) {
    struct tm parts;
    return asctime_r(localtime_r(time, &parts), to);
}
