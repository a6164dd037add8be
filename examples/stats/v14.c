/* Statistics over the numbers of standard input, one a line.
 *
 *   stats COMMAND P
 *
 *   mean        the arithmetic mean
 *   deviation   the standard deviation of a sample
 *   median      the middle value, or the mean of the two in the middle
 *   mode        the most frequent value, the least of them if there are several
 *   percentile  the least value that P percent of all values do not exceed
 *   trim        the mean without the P percent that are least and largest
 *   histogram   how many values fall into each of P parts of the range
 *
 * P is a whole number from 0 to 100, also where it is not used. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1000, MAX_PARTS = 100 };

static double values[MAX_VALUES];
static int count;

static _Noreturn void fail(const char *problem)
{
    fprintf(stderr, "stats: %s\n", problem);
    exit(1);
}

static void read_values(FILE *in)
{
    char line[80];
    while (fgets(line, sizeof line, in)) {
        char *end;
        double value = strtod(line, &end);
        if (end == line || (*end != '\n' && *end != '\0') || !isfinite(value))
            fail("not a number");
        if (count == MAX_VALUES)
            fail("too many values");
        values[count++] = value;
    }
    if (count == 0)
        fail("no values");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_values(void)
{
    qsort(values, (size_t)count, sizeof values[0], ascending);
}

static double share(int percent)
{
    return percent / 100.0;
}

static double mean(const double *from, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum / n;
}

static double deviation(void)
{
    double center = mean(values, count), sum = 0;
    if (count < 2)
        fail("one value has no deviation");
    for (int i = 0; i < count; i++)
        sum += (values[i] - center) * (values[i] - center);
    return sqrt(sum / (count - 1));
}

static double percentile(int percent)
{
    int rank = (count * percent + 99) / 100;
    sort_values();
    return values[rank > 0 ? rank - 1 : 0];
}

static double median(void)
{
    return percentile(50);
}

static double mode(void)
{
    double best = 0;
    int most = 0;
    sort_values();
    for (int i = 0; i < count; i++) {
        int n = 1;
        while (i + n < count && values[i + n] == values[i])
            n++;
        if (n > most) {
            most = n;
            best = values[i];
        }
    }
    return best;
}

static double trimmed_mean(int percent)
{
    int off = (int)(count * share(percent));
    sort_values();
    if (2 * off >= count)
        fail("nothing is left");
    return mean(values + off, count - 2 * off);
}

static void print_histogram(int parts)
{
    int counts[MAX_PARTS] = {0};
    if (parts == 0)
        fail("no parts");
    sort_values();
    double least = values[0], range = values[count - 1] - least;
    for (int i = 0; i < count; i++) {
        int part = range > 0 ? (int)((values[i] - least) * parts / range) : 0;
        if (part >= parts)
            part = parts - 1;
        counts[part]++;
    }
    for (int part = 0; part < parts; part++)
        if (counts[part] > 0)
            printf("part %d: %d\n", part + 1, counts[part]);
}

int main(int argc, char **argv)
{
    char *end;

    if (argc != 3) {
        fputs("usage: stats COMMAND P\n", stderr);
        return 2;
    }
    const char *command = argv[1];
    long p = strtol(argv[2], &end, 10);
    if (end == argv[2] || *end != '\0' || p < 0 || p > 100)
        fail("P is a number from 0 to 100");
    read_values(stdin);

    if (strcmp(command, "mean") == 0) {
        printf("%.3f\n", mean(values, count));
    } else if (strcmp(command, "deviation") == 0) {
        printf("%.3f\n", deviation());
    } else if (strcmp(command, "median") == 0) {
        printf("%.3f\n", median());
    } else if (strcmp(command, "mode") == 0) {
        printf("%.3f\n", mode());
    } else if (strcmp(command, "percentile") == 0) {
        printf("%.3f\n", percentile((int)p));
    } else if (strcmp(command, "trim") == 0) {
        printf("%.3f\n", trimmed_mean((int)p));
    } else if (strcmp(command, "histogram") == 0) {
        print_histogram((int)p);
    } else {
        fprintf(stderr, "stats: unknown command: %s\n", command);
        return 2;
    }
    return 0;
}
