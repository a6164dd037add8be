/* Prints chosen fields of each line of standard input.
 *
 *   fields [-d CHAR] [-o TEXT] [-s] [-v] LIST
 *
 *   -d CHAR  what separates fields, a comma unless given
 *   -o TEXT  what to print between fields, CHAR unless given
 *   -s       skip lines that have one field only; otherwise they are printed as they are
 *   -v       print the fields that are not in LIST
 *
 * LIST is made of N, N-M, N- and -M with commas between them. Fields count from 1 and
 * are printed in the order of the line. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RANGES = 32, MAX_FIELD = 9999 };

struct range {
    unsigned first;
    unsigned last; /* 0: no end */
};

struct options {
    char delimiter;
    const char *joiner; /* NULL: the delimiter */
    int skip_plain;
};

static struct range ranges[MAX_RANGES + 1];
static int range_count;

static _Noreturn void fail(const char *problem)
{
    fprintf(stderr, "fields: %s\n", problem);
    exit(2);
}

/* Reads a number if there is one; 0 stands for none and cannot be written. */
static unsigned read_number(const char **text)
{
    const char *start = *text;
    unsigned number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        number = 10 * number + (unsigned)(**text - '0');
        if (number > MAX_FIELD)
            fail("field number too large");
    }
    if (*text != start && number == 0)
        fail("fields count from 1");
    return number;
}

static void read_range(const char **text)
{
    struct range range = {0, 0};
    range.first = read_number(text);
    if (**text == '-') {
        ++*text;
        range.last = read_number(text);
        if (range.first == 0 && range.last == 0)
            fail("a range needs a number");
        if (range.first == 0)
            range.first = 1;
        if (range.last != 0 && range.last < range.first)
            fail("a range cannot decrease");
    } else {
        if (range.first == 0)
            fail("bad list");
        range.last = range.first;
    }
    if (range_count == MAX_RANGES)
        fail("too many ranges");
    ranges[range_count++] = range;
}

static void read_list(const char *text)
{
    read_range(&text);
    while (*text == ',') {
        text++;
        read_range(&text);
    }
    if (*text != '\0')
        fail("bad list");
}

static int by_place(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

/* Sorts the ranges and unites those that overlap or touch. */
static void merge_ranges(void)
{
    int kept = 0;
    qsort(ranges, (size_t)range_count, sizeof ranges[0], by_place);
    for (int i = 1; i < range_count; i++) {
        struct range *range = &ranges[kept];
        if (range->last == 0)
            break;
        if (ranges[i].first > range->last + 1)
            ranges[++kept] = ranges[i];
        else if (ranges[i].last == 0 || ranges[i].last > range->last)
            range->last = ranges[i].last;
    }
    range_count = kept + 1;
}

/* Replaces the ranges by the gaps between them. */
static void invert_ranges(void)
{
    struct range gaps[MAX_RANGES + 1];
    int count = 0;
    unsigned next = 1;
    for (int i = 0; i < range_count; i++) {
        if (ranges[i].first > next)
            gaps[count++] = (struct range){next, ranges[i].first - 1};
        next = ranges[i].last + 1;
    }
    gaps[count++] = (struct range){next, 0};
    memcpy(ranges, gaps, (size_t)count * sizeof gaps[0]);
    range_count = count;
}

static const char *field_end(const char *at, const char *end, const struct options *options)
{
    const char *found = memchr(at, options->delimiter, (size_t)(end - at));
    return found ? found : end;
}

static void print_fields(const char *line, const char *end, const struct options *options)
{
    const struct range *range = ranges;
    unsigned field = 1;
    int printed = 0;
    for (const char *at = line;; field++) {
        const char *stop = field_end(at, end, options);
        if (range < ranges + range_count && range->last != 0 && field > range->last)
            range++;
        if (range < ranges + range_count && field >= range->first) {
            if (printed++) {
                if (options->joiner)
                    fputs(options->joiner, stdout);
                else
                    putchar(options->delimiter);
            }
            fwrite(at, 1, (size_t)(stop - at), stdout);
        }
        if (stop == end)
            break;
        at = stop + 1;
    }
    putchar('\n');
}

static void process_line(const char *line, const char *end, const struct options *options)
{
    if (field_end(line, end, options) < end) {
        print_fields(line, end, options);
    } else if (!options->skip_plain) {
        fwrite(line, 1, (size_t)(end - line), stdout);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    struct options options = {',', NULL, 0};
    int option, invert = 0;

    opterr = 0;
    while ((option = getopt(argc, argv, "d:o:sv")) != -1) {
        switch (option) {
        case 'd':
            if (strlen(optarg) != 1)
                fail("the delimiter is one character");
            options.delimiter = optarg[0];
            break;
        case 'o':
            options.joiner = optarg;
            break;
        case 's':
            options.skip_plain = 1;
            break;
        case 'v':
            invert = 1;
            break;
        default:
            fail("unknown option");
        }
    }
    if (optind + 1 != argc)
        fail("one list is needed");
    read_list(argv[optind]);
    merge_ranges();
    if (invert)
        invert_ranges();

    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n')
            length--;
        process_line(line, line + length, &options);
    }
    free(line);
    return 0;
}
