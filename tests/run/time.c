// Calendar arithmetic: mktime, gmtime, strftime, strptime, difftime, leap years.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void show(time_t t) {
    struct tm tm;
    gmtime_r(&t, &tm);
    char text[200];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %V %G %u %w %y %C %e %I %p %D %F %T %R %Z %z %s %% %c %x %X %n%t|", &tm);
    printf("%ld %d %d %d %s\n", (long)t, tm.tm_wday, tm.tm_yday, tm.tm_isdst, text);
    printf("  %s", asctime(&tm));
}

int main(void) {
    time_t times[] = {0, 1, 86399, 86400, 951782400, 951868800, 1000000000, 1709164800, 1735689599, 2147483647,
                      4102444800, -1, -86400, -2208988800};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) show(times[i]);
    struct tm tm = {.tm_year = 124, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25, .tm_min = -5, .tm_sec = 3600};
    time_t t = mktime(&tm);
    printf("%ld %d-%d-%d %d:%d:%d\n", (long)t, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    tm = (struct tm){.tm_year = 100, .tm_mon = 14, .tm_mday = 0};
    printf("%ld %d\n", (long)timegm(&tm), tm.tm_yday);
    printf("%g\n", difftime(1000, 400));
    memset(&tm, 0, sizeof tm);
    char *rest = strptime("2024-02-29 23:59:58 tail", "%Y-%m-%d %H:%M:%S", &tm);
    printf("%s %d %d %d %d\n", rest, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_sec);
    printf("%d\n", strptime("bad", "%Y", &tm) == NULL);
    rest = strptime("Tue, 5 Mar 2019", "%a, %d %b %Y", &tm);
    printf("%d %d %d %zu\n", tm.tm_wday, tm.tm_mday, tm.tm_mon, strlen(rest));
    time_t fixed = 1234567890;
    printf("%s", ctime(&fixed));
    struct tm *shared = localtime(&fixed);
    printf("%d %d %s\n", shared->tm_hour, shared->tm_isdst, shared->tm_zone);
    char small[4];
    printf("%zu\n", strftime(small, sizeof small, "%Y", shared));
    for (int year = 1896; year < 2108; year += 4) {
        struct tm d = {.tm_year = year - 1900, .tm_mon = 1, .tm_mday = 29};
        timegm(&d);
        if (d.tm_mon != 1) printf("%d ", year);
    }
    printf("\n%d\n", time(NULL) > 0);
    return 0;
}
