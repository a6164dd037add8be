/* Seconds since 1970 from the parts of a date; the parts are brought into
 * their ranges. */

/* Days from 1970-01-01 to the first day of a month; `month` is 0 to 11. */
static long days_before(long year, long month) {
    static const short days[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    long last = month < 2 ? year - 1 : year; /* The last year whose leap day counts. */
    long era = (last >= 0 ? last : last - 399) / 400;
    long in_era = last - era * 400;
    long leap_days = era * 97 + in_era / 4 - in_era / 100;
    /* Up to 1969 there are 477 leap days since year 0, without that year's. */
    return (year - 1970) * 365 + leap_days - 477 + days[month];
}

static time_t seconds_of(const struct tm *parts) {
    long month = parts->tm_mon % 12;
    long year = 1900L + parts->tm_year + parts->tm_mon / 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    long days = days_before(year, month) + parts->tm_mday - 1L;
    return ((days * 24 + parts->tm_hour) * 60 + parts->tm_min) * 60 + parts->tm_sec;
}

time_t timegm(struct tm *parts) {
    time_t seconds = seconds_of(parts);
    return gmtime_r(&seconds, parts) == NULL ? -1 : seconds;
}

time_t mktime(struct tm *parts) {
    /* Who says that summer time is in effect means one hour earlier. */
    time_t seconds = seconds_of(parts) - (parts->tm_isdst > 0 ? 3600 : 0);
    return localtime_r(&seconds, parts) == NULL ? -1 : seconds;
}

time_t timelocal(struct tm *parts) { return mktime(parts); }

double difftime(time_t later, time_t earlier) {
    /* In two steps if the difference does not fit. */
    long difference;
    if (__builtin_sub_overflow(later, earlier, &difference))
        return (double)later - (double)earlier;
    return (double)difference;
}

int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }
