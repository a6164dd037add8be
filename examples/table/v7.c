/* Statistics over a column of a table, which standard input holds as text.
 *
 *   table COMMAND COLUMN
 *
 *   mean      the arithmetic mean
 *   geo       the geometric mean, of numbers above zero
 *   dev       the standard deviation of a sample
 *   median    the middle value
 *   max       the largest value
 *   entropy   in bits, of the column's shares of its sum
 *   bins      how many values are in each interval of width 2.5
 *   growth    the mean of the logarithms of the ratios of neighbours
 *
 * Fields are separated by white space, `-` stands for a missing one, and a line that
 * begins with # is a comment. Columns count from 1. */

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 64, MAX_LINE = 200 };

static double values[MAX_ROWS];
static int rows;

static _Noreturn void fail(const char *problem)
{
    printf("error: %s\n", problem);
    exit(1);
}

/* The field of a line with this number from 1, or null. */
static char *field(char *line, long column)
{
    for (;;) {
        while (isspace((unsigned char)*line))
            line++;
        if (*line == '\0')
            return NULL;
        if (--column == 0)
            return line;
        while (*line != '\0' && !isspace((unsigned char)*line))
            line++;
    }
}

static int is_missing(const char *text)
{
    return text[0] == '-' && (text[1] == '\0' || isspace((unsigned char)text[1]));
}

static void read_column(long column)
{
    char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#' || line[strspn(line, " \t\n")] == '\0')
            continue;
        char *text = field(line, column), *end;
        if (text == NULL)
            fail("a row is too short");
        if (is_missing(text))
            continue;
        double value = strtod(text, &end);
        if (end == text || (*end != '\0' && !isspace((unsigned char)*end)) || !isfinite(value))
            fail("not a number");
        if (rows == MAX_ROWS)
            fail("too many rows");
        values[rows++] = value + 0.0; /* No negative zero. */
    }
    if (rows == 0)
        fail("no values");
}

static double sum(void)
{
    double total = 0;
    for (int i = 0; i < rows; i++)
        total += values[i];
    return total;
}

static double geometric_mean(void)
{
    double total = 0;
    for (int i = 0; i < rows; i++) {
        if (values[i] <= 0)
            fail("not above zero");
        total += log(values[i]);
    }
    return exp(total / rows);
}

static double deviation(void)
{
    double mean = sum() / rows, squares = 0;
    if (rows < 2)
        fail("too few values");
    for (int i = 0; i < rows; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (rows - 1));
}

static void sort(void)
{
    for (int i = 0; i < rows; i++) {
        int least = i;
        for (int j = i + 1; j < rows; j++)
            if (values[j] < values[least])
                least = j;
        double value = values[i];
        values[i] = values[least];
        values[least] = value;
    }
}

static double median(void)
{
    sort();
    if (rows % 2 == 0)
        return (values[rows / 2 - 1] + values[rows / 2]) / 2;
    return values[rows / 2];
}

static double largest(void)
{
    double best = values[0];
    for (int i = 1; i < rows; i++)
        if (values[i] > best)
            best = values[i];
    return best;
}

static double entropy(void)
{
    double total = sum(), bits = 0;
    for (int i = 0; i < rows; i++) {
        if (values[i] < 0)
            fail("below zero");
        if (values[i] > 0)
            bits -= values[i] / total * log(values[i] / total) / log(2);
    }
    return bits;
}

static void print_bins(void)
{
    const double width = 2.5;
    sort();
    double low = floor(values[0]), high = values[rows - 1];
    if (fabs(low) > 1e6 || high - low > 100)
        fail("too many bins");
    int bins = (int)ceil((high - low) / width);
    for (int bin = 0; bin < bins; bin++) {
        double from = low + bin * width;
        int n = 0;
        for (int i = 0; i < rows; i++)
            n += values[i] >= from && values[i] < from + width;
        printf("%.1f: %d\n", from, n);
    }
}

static double growth(void)
{
    double total = 0;
    int n = 0;
    for (int i = 1; i < rows; i++) {
        if (values[i - 1] == 0 || values[i] / values[i - 1] <= 0)
            continue;
        total += log(values[i] / values[i - 1]);
        n++;
    }
    return n > 0 ? total / n : 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: table COMMAND COLUMN\n", stderr);
        return 2;
    }
    const char *command = argv[1];
    long column = strtol(argv[2], NULL, 10);
    if (column < 1 || column > 9)
        fail("there is no such column");
    read_column(column);
    if (strcmp(command, "mean") == 0) {
        printf("%.3f\n", sum() / rows);
    } else if (strcmp(command, "geo") == 0) {
        printf("%.3f\n", geometric_mean());
    } else if (strcmp(command, "dev") == 0) {
        printf("%.3f\n", deviation());
    } else if (strcmp(command, "median") == 0) {
        printf("%.3f\n", median());
    } else if (strcmp(command, "max") == 0) {
        printf("%.3f\n", largest());
    } else if (strcmp(command, "entropy") == 0) {
        printf("%.3f\n", entropy());
    } else if (strcmp(command, "bins") == 0) {
        print_bins();
    } else if (strcmp(command, "growth") == 0) {
        printf("%.3f\n", growth());
    } else {
        fail("unknown command");
    }
    return 0;
}
