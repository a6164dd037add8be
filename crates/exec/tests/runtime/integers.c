/* Texts that are declared as integers. The declared value is not what the text
 * says, to tell where a result comes from. */
#include "compare.h"
#include <inttypes.h>

extern const char *declared_text;
extern FILE *declared_stream;
extern long declared_position, declared_value, declared_length;

RUNTIME(atoi);
RUNTIME(atol);
RUNTIME(atof);
RUNTIME(strtod);
RUNTIME(strtof);
RUNTIME(strtold);
extern long rt_strtol(const char *, char **, int);
extern unsigned long rt_strtoul(const char *, char **, int);
extern unsigned long long rt___isoc23_strtoull(const char *, char **, int);
RUNTIME(sscanf);
RUNTIME(fscanf);

static const char text[] = "123 x";

static void declare(long value) {
    declared_text = text;
    declared_length = 3;
    declared_value = value;
}

static void check_conversions(void) {
    char *end;
    declare(-5000000000);
    errno = 0;
    CHECK(rt_atoi(text) == (int)-5000000000, "%d", rt_atoi(text));
    CHECK(rt_atol(text) == -5000000000, "%ld", rt_atol(text));
    CHECK(rt_strtol(text, &end, 10) == -5000000000 && end == text + 3, "%s", end);
    CHECK(rt_strtol(text, NULL, 0) == -5000000000, "base 0");
    CHECK(rt_strtoul(text, &end, 10) == (unsigned long)-5000000000 && end == text + 3, "%s", end);
    CHECK(rt___isoc23_strtoull(text, &end, 0) == (unsigned long)-5000000000, "%s", end);
    CHECK(rt_atof(text) == -5e9 && rt_strtod(text, &end) == -5e9 && end == text + 3, "%s", end);
    CHECK(rt_strtof(text, &end) == -5e9f && rt_strtold(text, &end) == -5e9l, "%s", end);
    CHECK(errno == 0, "%d", errno);
    /* Other bases and other places read the text. */
    CHECK(rt_strtol(text, &end, 16) == 0x123 && rt_strtol(text + 1, &end, 10) == 23, "%s", end);
}

static void check_texts(void) {
    int i = 0, n = 0;
    short h = 0;
    unsigned long u = 0;
    double d = 0;
    float f = 0;
    char c = 0;
    declare(70000);
    CHECK(rt_sscanf(text, "%d %c%n", &i, &c, &n) == 2 && i == 70000 && c == 'x' && n == 5, "%d %d", i, n);
    CHECK(rt_sscanf(text, " %hi", &h) == 1 && h == (short)70000, "%d", h);
    CHECK(rt_sscanf(text, "%3lu", &u) == 1 && u == 70000, "%lu", u);
    CHECK(rt_sscanf(text, "%2d", &i) == 1 && i == 12, "%d", i);
    CHECK(rt_sscanf(text, "%x", &i) == 1 && i == 0x123, "%d", i);
    CHECK(rt_sscanf(text, "%lf", &d) == 1 && d == 70000, "%g", d);
    CHECK(rt_sscanf(text, "%f", &f) == 1 && f == 70000, "%g", f);
    CHECK(rt_sscanf(text, "%*d%n", &n) == 0 && n == 3, "%d", n);
    static const char behind[] = "  123";
    declared_text = behind + 2;
    CHECK(rt_sscanf(behind, "%d%n", &i, &n) == 1 && i == 70000 && n == 5, "%d %d", i, n);
}

static void check_streams(void) {
    int i = 0, j = 0, n = 0;
    declare(-7);
    declared_text = NULL;
    declared_stream = tmpfile();
    fputs("1 123 5", declared_stream);
    rewind(declared_stream);
    declared_position = 2;
    CHECK(rt_fscanf(declared_stream, "%d%d%n", &i, &j, &n) == 2 && i == 1 && j == -7 && n == 5,
          "%d %d %d", i, j, n);
    CHECK(rt_fscanf(declared_stream, "%d", &i) == 1 && i == 5, "%d", i);
    CHECK(rt_fscanf(declared_stream, "%d", &i) == EOF, "%d", i);
    rewind(declared_stream);
    declared_position = 0;
    declared_length = 1;
    CHECK(rt_fscanf(declared_stream, "%d", &i) == 1 && i == -7, "%d", i);
}

int main(void) {
    check_conversions();
    check_texts();
    check_streams();
    DONE();
}
