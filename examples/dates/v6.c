/* A calculator for dates of the Gregorian calendar.
 *
 *   dates COMMAND YEAR MONTH DAY N
 *
 *   add       the date N days later
 *   months    the date N months later; the 31st becomes the last day of a shorter month
 *   workdays  the date N working days later, Monday to Friday
 *   due       N days later; from a weekend on to Monday, unless that is another month,
 *             then back to Friday
 *   week      the week of ISO 8601 in which the date N weeks later lies
 *
 * A negative N counts backwards. Years are 1 to 9999. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY };

static const long furthest = 4000000; /* more than there are days in 9999 years */

struct date {
    int year, month, day;
};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 2 && is_leap(year));
}

/* Days since Monday, 1 January of the year 1. */
static long first_day(int year)
{
    long before = year - 1;
    return before * 365 + before / 4 - before / 100 + before / 400;
}

static long to_days(struct date date)
{
    long days = first_day(date.year);
    for (int month = 1; month < date.month; month++)
        days += days_in_month(date.year, month);
    return days + date.day - 1;
}

static struct date to_date(long days)
{
    struct date date = {(int)(days / 366) + 1, 1, 1};
    while (first_day(date.year + 1) <= days)
        date.year++;
    days -= first_day(date.year);
    while (days >= days_in_month(date.year, date.month)) {
        days -= days_in_month(date.year, date.month);
        date.month++;
    }
    date.day += (int)days;
    return date;
}

static int weekday(long days)
{
    return (int)(days % 7);
}

static void out_of_range(void)
{
    fputs("dates: out of range\n", stderr);
    exit(1);
}

static long within_range(long days)
{
    if (days < 0 || days >= first_day(10000))
        out_of_range();
    return days;
}

static struct date add_months(struct date date, long n)
{
    long months = date.year * 12L + date.month - 1 + n;
    if (months < 12 || months >= 10000 * 12L)
        out_of_range();
    date.year = (int)(months / 12);
    date.month = (int)(months % 12) + 1;
    if (date.day > days_in_month(date.year, date.month))
        date.day = days_in_month(date.year, date.month);
    return date;
}

/* A weekend counts as the Friday before when going forth, as the Monday after
 * when going back. */
static long add_workdays(long days, long n)
{
    int step = n < 0 ? -1 : 1;
    while (weekday(days) >= SATURDAY)
        days -= step;
    days += n / 5 * 7;
    for (long left = labs(n % 5); left > 0; left--) {
        days += step;
        while (weekday(days) >= SATURDAY)
            days += step;
    }
    return days;
}

static long due_day(long days)
{
    if (weekday(days) < SATURDAY)
        return days;
    long monday = days + 7 - weekday(days);
    if (to_date(monday).month != to_date(days).month)
        return monday - 3;
    return monday;
}

static void print_date(long days)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    struct date date = to_date(within_range(days));
    printf("%04d-%02d-%02d %s\n", date.year, date.month, date.day, names[weekday(days)]);
}

/* Week 1 is the first that has four days in the year or more. */
static int weeks_in_year(int year)
{
    return weekday(first_day(year)) == THURSDAY ? 53 : 52;
}

static void print_week(long days)
{
    int year = to_date(within_range(days)).year;
    int day_of_year = (int)(days - first_day(year));
    int week = (day_of_year - weekday(days) + 10) / 7;
    if (week < 1) {
        year--;
        week = weeks_in_year(year);
    } else if (week > weeks_in_year(year)) {
        year++;
        week = 1;
    }
    printf("%04d-W%02d-%d\n", year, week, weekday(days) + 1);
}

static int parse(const char *text, long low, long high, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high;
}

int main(int argc, char **argv)
{
    long year, month, day, n;

    if (argc != 6) {
        fputs("usage: dates add|months|workdays|due|week YEAR MONTH DAY N\n", stderr);
        return 2;
    }
    if (!parse(argv[2], 1, 9999, &year) || !parse(argv[3], 1, 12, &month) ||
        !parse(argv[4], 1, days_in_month((int)year, (int)month), &day)) {
        fputs("dates: no such date\n", stderr);
        return 1;
    }
    if (!parse(argv[5], -furthest, furthest, &n))
        out_of_range();

    struct date date = {(int)year, (int)month, (int)day};
    long days = to_days(date);
    if (strcmp(argv[1], "add") == 0) {
        print_date(days + n);
    } else if (strcmp(argv[1], "months") == 0) {
        print_date(to_days(add_months(date, n)));
    } else if (strcmp(argv[1], "workdays") == 0) {
        print_date(add_workdays(days, n));
    } else if (strcmp(argv[1], "due") == 0) {
        print_date(due_day(within_range(days + n)));
    } else if (strcmp(argv[1], "week") == 0) {
        print_week(days + 7 * n);
    } else {
        fprintf(stderr, "dates: unknown command: %s\n", argv[1]);
        return 2;
    }
    return 0;
}
