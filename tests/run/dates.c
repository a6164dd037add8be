// Date arithmetic without the library: Julian days, weekdays, Easter, ISO weeks, roman numerals of years.
#include <stdio.h>
#include <string.h>
#include <time.h>

static int leap(int y) { return (y % 4 == 0 && y % 100) || y % 400 == 0; }
static long days(int y, int m, int d) {
    y -= m <= 2;
    long era = (y >= 0 ? y : y - 399) / 400;
    long yoe = y - era * 400, doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}
static void civil(long z, int *y, int *m, int *d) {
    z += 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097, doe = z - era * 146097;
    long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    *d = (int)(doy - (153 * mp + 2) / 5 + 1), *m = (int)(mp < 10 ? mp + 3 : mp - 9), *y = (int)(yoe + era * 400 + (*m <= 2));
}
static void easter(int y, int *m, int *d) {
    int a = y % 19, b = y / 100, c = y % 100, e = b / 4, f = b % 4, g = (8 * b + 13) / 25, h = (19 * a + b - e - g + 15) % 30;
    int i = c / 4, k = c % 4, l = (32 + 2 * f + 2 * i - h - k) % 7, n = (a + 11 * h + 19 * l) / 433;
    *m = (h + l - 7 * n + 90) / 25, *d = (h + l - 7 * n + 33 * *m + 19) % 32;
}
static const char *roman(int n, char *out) {
    static const struct { int v; const char *s; } table[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
    *out = 0;
    for (int i = 0; i < 13; i++)
        for (; n >= table[i].v; n -= table[i].v) strcat(out, table[i].s);
    return out;
}
static int unroman(const char *s) {
    int total = 0, previous = 0;
    for (size_t i = strlen(s); i--;) {
        int v = (int)(strchr("I1V2X3L4C5D6M", s[i]) - "I1V2X3L4C5D6M") / 2;
        static const int values[] = {1, 5, 10, 50, 100, 500, 1000};
        v = values[v];
        total += v < previous ? -v : v;
        previous = v;
    }
    return total;
}

int main(void) {
    int bad = 0;
    for (long z = -800000; z < 800000; z += 997) {
        int y, m, d;
        civil(z, &y, &m, &d);
        bad += days(y, m, d) != z;
        if (z % 100 == 0) {
            struct tm t = {.tm_year = y - 1900, .tm_mon = m - 1, .tm_mday = d};
            bad += timegm(&t) != (time_t)z * 86400;
        }
    }
    printf("%d\n", bad);
    for (int y = 1990; y < 2030; y += 7) {
        int m, d;
        char text[32];
        easter(y, &m, &d);
        printf("%d %s %d %d-%d %ld\n", y, roman(y, text), leap(y), m, d, ((days(y, 12, 25) + 4) % 7 + 7) % 7);
    }
    for (int n = 1; n < 4000; n++) {
        char text[32];
        bad += unroman(roman(n, text)) != n;
    }
    printf("%d %ld\n", bad, days(2024, 2, 29) - days(1969, 7, 20));
    return 0;
}
