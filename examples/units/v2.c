/* Converts between units of measurement.
 *
 *   units                          how it is used
 *   units UNIT                     all units of its sort
 *   units VALUE FROM               the value in the base unit of its sort
 *   units VALUE FROM TO            the value in another unit
 *   units VALUE FROM TO DIGITS     the same with so many decimals instead of 3
 *
 * With TO, further values may be on standard input, one a line. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sort { LENGTH, MASS, TEMPERATURE };

/* A value in the base unit is value * factor + offset. */
struct unit {
    const char *name;
    enum sort sort;
    double factor, offset;
};

static const struct unit units[] = {
    {"m", LENGTH, 1, 0},          {"km", LENGTH, 1000, 0},     {"cm", LENGTH, 0.01, 0},
    {"in", LENGTH, 0.0254, 0},    {"ft", LENGTH, 0.3048, 0},   {"mi", LENGTH, 1609.344, 0},
    {"kg", MASS, 1, 0},           {"g", MASS, 0.001, 0},       {"lb", MASS, 0.45359237, 0},
    {"oz", MASS, 0.028349523125, 0}, {"t", MASS, 1000, 0},
    {"K", TEMPERATURE, 1, 0},     {"C", TEMPERATURE, 1, 273.15},
    {"F", TEMPERATURE, 5.0 / 9, 459.67 * 5 / 9},
};

enum { UNITS = sizeof units / sizeof units[0] };

static _Noreturn void fail(const char *problem, const char *text)
{
    printf("error: %s: %s\n", problem, text);
    exit(1);
}

static const struct unit *find(const char *name)
{
    for (int i = UNITS - 1; i >= 0; i--)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    fail("unknown unit", name);
}

/* The first unit of a sort. */
static const struct unit *base_of(enum sort sort)
{
    for (int i = 0; i < UNITS; i++)
        if (units[i].sort == sort)
            return &units[i];
    return NULL;
}

static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || (*end != '\0' && *end != '\n') || !isfinite(value))
        fail("not a number", text);
    return value;
}

static double to_base(double value, const struct unit *unit)
{
    return value * unit->factor + unit->offset;
}

static double from_base(double value, const struct unit *unit)
{
    return (value - unit->offset) / unit->factor;
}

static double convert(double value, const struct unit *from, const struct unit *to)
{
    double base = to_base(value, from);
    if (from->sort == TEMPERATURE && base < 0) {
        puts("colder than cold");
        base = 0;
    }
    return from_base(base, to);
}

static void list(const char *name)
{
    const struct unit *unit = find(name);
    for (int i = 0; i < UNITS; i++)
        if (units[i].sort == unit->sort && &units[i] != unit)
            printf("%s\n", units[i].name);
}

static int digits_of(const char *text)
{
    char *end;
    long digits = strtol(text, &end, 10);
    if (end == text || *end != '\0' || digits < 0 || digits > 6)
        fail("bad number of digits", text);
    return (int)digits;
}

/* Converts what is on standard input as well, and says how much that was. */
static void convert_all(double first, const struct unit *from, const struct unit *to, int digits)
{
    char line[64];
    int count = 0;

    printf("%.*f %s\n", digits, convert(first, from, to), to->name);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '\n')
            continue;
        printf("%.*f %s\n", digits, convert(number(line), from, to), to->name);
        count++;
    }
    if (count > 0)
        printf("and %d more\n", count);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 5) {
        puts("usage: units VALUE FROM [TO [DIGITS]]");
        return 2;
    }
    if (argc == 2) {
        list(argv[1]);
        return 0;
    }
    double value = number(argv[1]);
    const struct unit *from = find(argv[2]);
    if (argc == 3) {
        const struct unit *base = base_of(from->sort);
        printf("%.3f %s\n", to_base(value, from), base->name);
        return 0;
    }
    const struct unit *to = find(argv[3]);
    if (from->sort != to->sort)
        fail("not of one sort", argv[3]);
    convert_all(value, from, to, argc == 5 ? digits_of(argv[4]) : 3);
    return 0;
}
