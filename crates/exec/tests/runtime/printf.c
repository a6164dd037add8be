/* Random formats: the printf engine for text in memory against the native one.
 * Arguments are passed through a va_list whose register area counts as used
 * up, so that they may have any types. */
#include "compare.h"
#include <stdarg.h>
#include <wchar.h>

RUNTIME(vsnprintf);
RUNTIME(snprintf);
RUNTIME(sprintf);
RUNTIME(vasprintf);
RUNTIME(asprintf);
extern int rt___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int rt___sprintf_chk(char *, int, size_t, const char *, ...);

struct list {
    unsigned gp_offset, fp_offset;
    void *overflow, *save;
};

/* The arguments of a call as they are on the stack. */
static uint64_t area[64] __attribute__((aligned(16)));
static unsigned used;
static uint64_t counter;

static void word(uint64_t value) { area[used++] = value; }

static void long_word(long double value) {
    used += used & 1;
    memset(area + used, 0, 16);
    memcpy(area + used, &value, 10);
    used += 2;
}

static void make_list(va_list to) {
    struct list raw = {48, 304, area, 0};
    memcpy(to, &raw, sizeof raw);
}

static void check(const char *format) {
    static char mine[4096], native[4096];
    size_t size = below(3) == 0 ? below(40) : sizeof mine;
    va_list arguments;
    memset(mine, 0x55, 256);
    memset(native, 0x55, 256);
    make_list(arguments);
    counter = 0x1122334455667788;
    errno = 0;
    int mine_result = rt_vsnprintf(mine, size, format, arguments);
    int mine_error = mine_result < 0 ? errno : 0;
    uint64_t mine_counter = counter;
    make_list(arguments);
    counter = 0x1122334455667788;
    errno = 0;
    int native_result = vsnprintf(native, size, format, arguments);
    int native_error = native_result < 0 ? errno : 0;
    CHECK(mine_result == native_result && mine_error == native_error && mine_counter == counter,
          "\"%s\", size %zu: result %d %d, errno %d %d, counter %lx %lx", format, size, mine_result,
          native_result, mine_error, native_error, mine_counter, counter);
    if (native_result < 0)
        return;
    size_t kept = (size_t)native_result < size ? (size_t)native_result + 1 : size;
    CHECK(memcmp(mine, native, kept) == 0, "\"%s\", size %zu: \"%s\" \"%s\"", format, size, mine,
          native);
    make_list(arguments);
    char *block = NULL;
    mine_result = rt_vasprintf(&block, format, arguments);
    CHECK(mine_result == native_result, "%s", format);
    make_list(arguments);
    vsnprintf(native, sizeof native, format, arguments);
    CHECK(memcmp(block, native, (size_t)native_result + 1) == 0, "\"%s\": \"%s\" \"%s\"", format,
          block, native);
    free(block);
}

#define PICK(...)                                                                                  \
    ({                                                                                             \
        static const char *const choices[] = {__VA_ARGS__};                                        \
        choices[below(sizeof choices / sizeof *choices)];                                          \
    })

static uint64_t any_bits(void) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 16 | below(65536);
    return bits;
}

static uint64_t any_integer(void) {
    static const int64_t edges[] = {0, 1, -1, 9, 10, 127, 128, 255, 256, 32767, 65536, INT_MAX};
    switch (below(4)) {
    case 0:
        return (uint64_t)edges[below(12)];
    case 1:
        return any_bits() >> below(64);
    case 2:
        return (uint64_t)((int64_t)any_bits() >> below(64));
    default:
        return -(uint64_t)edges[below(12)];
    }
}

static double any_double(void) {
    static const double edges[] = {0.0, -0.0, 1.0, 0.5, 1.5, 2.5, 9.5, 99999.5, 0.0001, 1e300, 5e-324};
    double value;
    uint64_t bits = any_bits();
    switch (below(3)) {
    case 0:
        return edges[below(11)];
    case 1:
        return (int)below(100000) / 8.0 - 1000;
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

static void add_amount(char *format) {
    char text[8];
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return;
    case 4:
    case 5:
    case 6:
        sprintf(text, "%u", below(25));
        strcat(format, text);
        return;
    default:
        word((uint64_t)((int64_t)below(40) - 15));
        strcat(format, "*");
    }
}

static void add_conversion(char *format) {
    strcat(format, "%");
    for (unsigned flags = below(4); flags > 0; flags--)
        strcat(format, PICK("-", "+", " ", "#", "0", "'", "0"));
    add_amount(format);
    if (below(2) == 0) {
        strcat(format, ".");
        add_amount(format);
    }
    double number;
    uint64_t bits;
    switch (below(12)) {
    default:
        strcat(format, PICK("", "", "hh", "h", "l", "ll", "q", "L", "j", "z", "t", "Z"));
        strcat(format, PICK("d", "i", "u", "o", "x", "X", "b", "B"));
        word(any_integer());
        return;
    case 1:
        strcat(format, PICK("e", "E", "f", "F", "g", "G", "a", "A", "lf", "lg"));
        number = any_double();
        memcpy(&bits, &number, sizeof bits);
        word(bits);
        return;
    case 2:
        strcat(format, PICK("Le", "LE", "Lf", "Lg", "LG", "La", "LA", "llf"));
        long_word((long double)any_double() / 3);
        return;
    case 3:
    case 4:
        strcat(format, "s");
        word((uintptr_t)PICK("", "a", "hello", "a longer string than most", NULL));
        return;
    case 5:
        strcat(format, "p");
        word(any_integer());
        return;
    case 6: {
        static const wchar_t *const wide[] = {L"", L"wide", L"wid\u00e9", L"\u20ac"};
        strcat(format, PICK("ls", "S"));
        word((uintptr_t)wide[below(4)]);
        return;
    }
    case 7:
        strcat(format, PICK("hhn", "hn", "n", "ln", "lln", "jn", "zn", "tn"));
        word((uintptr_t)&counter);
        return;
    case 8:
        strcat(format, PICK("c", "c", "lc", "C"));
        word(1 + below(126));
        return;
    case 9:
        strcat(format, PICK("m", "y", "%", "k"));
        return;
    }
}

static void check_random(void) {
    char format[256] = "";
    used = 0;
    for (unsigned pieces = 1 + below(3); pieces > 0; pieces--) {
        strcat(format, PICK("", "", "x", "=> ", "100%%", "%5%"));
        add_conversion(format);
    }
    for (int i = 0; i < 4; i++)
        word(7);
    check(format);
}

static void check_odd(void) {
    static const char *const formats[] = {
        "", "plain", "%", "%%", "a%", "%5", "%-", "%l", "%.", "%y", "%5y", "%-+5.3y", "%ly",
        "%#'+ -0I5.2y", "%d%", "%y%", "%1$d%", "%1$d%5", "%1$d%.3", "%d %d %3$d %d", "%2$d %1$d",
        "%2$*1$d", "%1$*2$.*3$d", "%*2$d", "%3$d", "%1$d %d %d", "%d %y %d", "%5-d", "%hld", "%llld",
        "%hhhd", "%.-5d", "%.*d", "%99999999999d", "%.99999999999d", "%1$99999999999d", "%'d",
        "%I d", "%Zd", "%zu", "%tu", "%jd", "%Ld", "%qd", "%1$d%%%2$d", "%-5%", "%k%d", "%d%k%d",
        "%#x %#X %#o", "%+u", "% u", "%+x", "%0-8d", "%-08d", "%08.3d", "%+.0d", "%b", "%w",
        "%1$m %m", "%5m", "%-9mx", "%.2m", "%y %Ld %qd %lld", "%b %B %#b",
    };
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        used = 0;
        for (unsigned n = 1; n <= 6; n++)
            word(n * 11);
        check(formats[i]);
    }
}

static void check_names(void) {
    char text[32];
    CHECK(rt_sprintf(text, "%d-%s", 5, "x") == 3 && strcmp(text, "5-x") == 0, "%s", text);
    CHECK(rt_snprintf(NULL, 0, "%5d", 5) == 5, "%s", text);
    CHECK(rt_snprintf(text, 4, "%s", "hello") == 5 && strcmp(text, "hel") == 0, "%s", text);
    CHECK(rt___snprintf_chk(text, 4, 1, 32, "%d%c", 12, 'x') == 3 && strcmp(text, "12x") == 0, "%s", text);
    CHECK(rt___sprintf_chk(text, 1, 32, "%.2f", 1.5) == 4 && strcmp(text, "1.50") == 0, "%s", text);
    char *block;
    CHECK(rt_asprintf(&block, "%0300d", 5) == 300 && strlen(block) == 300, "%s", block);
    free(block);
    /* The native library takes seconds to find that this is too long. */
    errno = 0;
    CHECK(rt_snprintf(text, sizeof text, "x%2147483647d", 1) == -1 && errno == EOVERFLOW, "%d", errno);
    CHECK(rt_snprintf(text, sizeof text, "%2147483647d", 1) == INT_MAX, "%s", text);
    /* A text that is written over itself. */
    strcpy(text, "abc");
    rt_sprintf(text, "%s-%s", text, "d");
    CHECK(strcmp(text, "abc-d") == 0, "%s", text);
}

int main(void) {
    check_names();
    check_odd();
    for (int round = 0; round < 100000; round++)
        check_random();
    DONE();
}
