/* Dates against the native functions, with UTC as the time zone. */
#include "compare.h"
#include <time.h>

RUNTIME(gmtime_r);
RUNTIME(localtime);
RUNTIME(localtime_r);
RUNTIME(mktime);
RUNTIME(timegm);
RUNTIME(asctime);
RUNTIME(asctime_r);
RUNTIME(ctime_r);
RUNTIME(difftime);
RUNTIME(strftime);
RUNTIME(strptime);
RUNTIME(tzset);
extern char *rt_tzname[2];
extern long rt_timezone;
extern int rt_daylight;

static int same_text(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static int same(const struct tm *a, const struct tm *b) {
    return memcmp(a, b, offsetof(struct tm, tm_isdst)) == 0 && a->tm_isdst == b->tm_isdst &&
           a->tm_gmtoff == b->tm_gmtoff && same_text(a->tm_zone, b->tm_zone);
}

static time_t any_time(void) {
    uint64_t bits = (uint64_t)below(UINT_MAX) << 32 | below(UINT_MAX);
    unsigned shift = 3 + below(58);
    return (time_t)(bits >> shift) * (below(2) ? 1 : -1);
}

static void check_split(time_t t) {
    struct tm mine = {0}, native = {0};
    char a[30], b[30];
    errno = 0;
    int found = rt_gmtime_r(&t, &mine) != NULL, number = errno;
    errno = 0;
    CHECK(found == (gmtime_r(&t, &native) != NULL) && number == errno, "%ld", t);
    CHECK(!found || same(&mine, &native), "%ld", t);
    CHECK((rt_localtime_r(&t, &mine) != NULL) == (localtime_r(&t, &native) != NULL), "%ld", t);
    if (found) {
        CHECK(same(&mine, &native), "%ld", t);
        CHECK(rt_timegm(&mine) == t && rt_mktime(&mine) == t, "%ld", t);
        CHECK(same_text(rt_asctime_r(&mine, a), asctime_r(&native, b)), "%ld", t);
        CHECK(same_text(rt_asctime(&mine), asctime(&native)), "%ld", t);
        CHECK(same_text(rt_ctime_r(&t, a), ctime_r(&t, b)), "%ld", t);
    }
    time_t other = any_time();
    CHECK(rt_difftime(t, other) == difftime(t, other), "%ld %ld", t, other);
}

static int part(int limit) {
    switch (below(6)) {
    case 0: return (int)below(UINT_MAX);
    case 1: return (int)below(2000) - 1000;
    default: return (int)below((unsigned)limit);
    }
}

static struct tm any_parts(void) {
    struct tm t = {part(60), part(60), part(24), part(32), part(12), part(300), part(7), part(366), (int)below(3) - 1};
    return t;
}

static void check_join(void) {
    struct tm mine = any_parts(), native = mine, start = mine;
    native.tm_isdst = mine.tm_isdst = 0;
    errno = 0;
    time_t a = rt_timegm(&mine);
    int number = errno;
    errno = 0;
    time_t b = timegm(&native);
    CHECK(a == b && number == errno, "%ld %ld", a, b);
    CHECK(same(&mine, &native), "%ld", a);
    mine = native = start;
    errno = 0;
    a = rt_mktime(&mine);
    number = errno;
    errno = 0;
    b = mktime(&native);
    CHECK(a == b && number == errno, "%ld %ld", a, b);
    CHECK(same(&mine, &native), "%ld", a);
}

static void check_format(void) {
    char format[60] = "", mine[300], native[300];
    unsigned count = 1 + below(3);
    for (unsigned i = 0; i < count; i++) {
        char flags[4], one[20];
        any_of(flags, "_-0^#", below(2) ? 2 : 0);
        static const char *modifiers[] = {"", "", "", "", "E", "O"};
        char width[4] = "";
        if (below(4) == 0)
            sprintf(width, "%u", below(15));
        char letter = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%aq+"[below(44)];
        sprintf(one, "%s%%%s%s%s%c", below(2) ? "x" : "", flags, width, modifiers[below(6)], letter);
        strcat(format, one);
    }
    if (below(50) == 0)
        strcat(format, "%");
    struct tm t;
    time_t seconds = any_time();
    if (below(4) == 0) {
        t = any_parts();
        t.tm_yday = (int)below(366), t.tm_wday = (int)below(7);
        t.tm_mon = (int)below(12), t.tm_hour = (int)below(24), t.tm_mday = (int)below(32);
        t.tm_gmtoff = (int)below(80000) - 40000;
        t.tm_zone = below(2) ? "Zone" : "";
    } else if (gmtime_r(&seconds, &t) == NULL)
        return;
    size_t size = below(4) ? sizeof mine : below(40);
    memset(mine, 0, sizeof mine);
    memset(native, 0, sizeof native);
    size_t a = rt_strftime(mine, size, format, &t), b = strftime(native, size, format, &t);
    CHECK(a == b && (a == 0 || strcmp(mine, native) == 0), "%s size %zu year %d: '%s' '%s'", format, size, t.tm_year, mine, native);
}

static void check_parsing(void) {
    static const char *letters = "aAbBcCdDeFgGhHIjklmMnprRsStTuUVwWxXyYzZ%";
    char format[60] = "", text[300];
    unsigned count = 1 + below(4);
    for (unsigned i = 0; i < count; i++) {
        char one[8];
        sprintf(one, "%s%%%c", i ? below(3) ? " " : "," : "", letters[below((unsigned)strlen(letters))]);
        strcat(format, one);
    }
    time_t seconds = (time_t)below(UINT_MAX);
    struct tm t;
    gmtime_r(&seconds, &t);
    t.tm_gmtoff = (int)below(40000) - 20000;
    strftime(text, sizeof text, format, &t);
    if (below(4) == 0)
        text[below((unsigned)strlen(text) + 1)] = "09 x:Z+"[below(7)];
    struct tm mine = {0}, native;
    if (below(2))
        mine = t;
    native = mine;
    char *a = rt_strptime(text, format, &mine), *b = strptime(text, format, &native);
    CHECK(a == b, "'%s' from '%s': %ld %ld", format, text, a ? a - text : -1L, b ? b - text : -1L);
    /* Before year 1 and for days outside their year the native result is arbitrary. */
    if (native.tm_year <= -1900 || native.tm_yday < -1 || native.tm_yday >= 365)
        return;
    CHECK(a != b || a == NULL || same(&mine, &native), "'%s' from '%s': %d-%d-%d w%d y%d, %d-%d-%d w%d y%d %d:%d %d:%d", format, text, mine.tm_year,
          mine.tm_mon, mine.tm_mday, mine.tm_wday, mine.tm_yday, native.tm_year, native.tm_mon, native.tm_mday,
          native.tm_wday, native.tm_yday, mine.tm_hour, mine.tm_min, native.tm_hour, native.tm_min);
}

int main(void) {
    CHECK(same_text(rt_tzname[0], "GMT"), "%s", rt_tzname[0]);
    rt_tzset();
    tzset();
    CHECK(same_text(rt_tzname[0], tzname[0]) && same_text(rt_tzname[1], tzname[1]), "%s %s", rt_tzname[0], tzname[0]);
    CHECK(rt_timezone == timezone && rt_daylight == daylight, "zone");
    for (time_t day = -800000; day < 800000; day += 31)
        check_split(day * 86400 + 86399);
    for (int round = 0; round < 15000; round++) {
        check_split(any_time());
        check_join();
        check_format();
        check_parsing();
    }
    DONE();
}
