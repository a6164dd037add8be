/* Calendar time in the Gregorian calendar without leap seconds. The local time
 * zone is UTC. */

extern char *tzname[2];
void tzset(void);

/* Days since 1970-01-01 to the parts of the date. Years are counted from March
 * here, so that a leap day is the last day of its year. */
static long set_date(long days, struct tm *parts) {
    long shifted = days + 719468; /* Days since 0000-03-01. */
    long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    long day_of_era = shifted - era * 146097;
    long year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * day_of_year + 2) / 153;
    parts->tm_mday = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    parts->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
    year += era * 400 + (month >= 10);
    int is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0));
    parts->tm_yday = (int)(month >= 10 ? day_of_year - 306 : day_of_year + 59 + is_leap);
    return year;
}

static struct tm *split(time_t time, struct tm *parts, const char *zone) {
    long days = time / 86400;
    long seconds = time % 86400;
    if (seconds < 0) {
        seconds += 86400;
        days--;
    }
    struct tm result = {0};
    long year = set_date(days, &result) - 1900;
    if (year < INT_MIN || year > INT_MAX) {
        errno = EOVERFLOW;
        return NULL;
    }
    long weekday = (days + 4) % 7;
    result.tm_year = (int)year;
    result.tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
    result.tm_hour = (int)(seconds / 3600);
    result.tm_min = (int)(seconds / 60 % 60);
    result.tm_sec = (int)(seconds % 60);
    result.tm_zone = zone;
    *parts = result;
    return parts;
}

struct tm *gmtime_r(const time_t *time, struct tm *parts) { return split(*time, parts, "GMT"); }

struct tm *localtime_r(const time_t *time, struct tm *parts) {
    tzset();
    return split(*time, parts, tzname[0]);
}

static struct tm shared;

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared); }

struct tm *localtime(const time_t *time) { return localtime_r(time, &shared); }
