// cal: prints months side by side with the library's dates.
// args: 2024
// env: TZ=UTC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void month(int year, int m, char rows[8][24]) {
    struct tm first = {.tm_year = year - 1900, .tm_mon = m, .tm_mday = 1, .tm_hour = 12}, next = first;
    next.tm_mon++;
    long days = (timegm(&next) - timegm(&first)) / 86400;
    timegm(&first);
    char title[24];
    strftime(title, sizeof title, "%B", &first);
    for (int r = 0; r < 8; r++) memset(rows[r], ' ', 20), rows[r][20] = 0;
    memcpy(rows[0] + (20 - strlen(title)) / 2, title, strlen(title));
    memcpy(rows[1], "Mo Tu We Th Fr Sa Su", 20);
    int column = (first.tm_wday + 6) % 7, row = 2;
    for (int d = 1; d <= days; d++) {
        char text[4];
        snprintf(text, sizeof text, "%2d", d);
        memcpy(rows[row] + column * 3, text, 2);
        if (++column == 7) column = 0, row++;
    }
}

int main(int argc, char **argv) {
    int year = argc > 1 ? atoi(argv[1]) : 2000;
    printf("%34d\n", year);
    for (int m = 0; m < 12; m += 3) {
        char rows[3][8][24];
        for (int i = 0; i < 3; i++) month(year, m + i, rows[i]);
        for (int r = 0; r < 8; r++) printf("%s  %s  %s\n", rows[0][r], rows[1][r], rows[2][r]);
    }
    time_t t = 1709210096;
    struct tm local;
    localtime_r(&t, &local);
    char text[64];
    strftime(text, sizeof text, "%G-W%V-%u %c", &local);
    printf("%s\n", text);
    return 0;
}
