/* Random formats and texts: the scanf engine against the native one, on texts
 * and on streams. */
#include "compare.h"
#include <stdarg.h>

RUNTIME(sscanf);
RUNTIME(fscanf);
RUNTIME(vsscanf);
extern int rt___isoc99_sscanf(const char *, const char *, ...);

#define BLOCKS 6
#define ROOM 256

/* What a call did. */
struct effect {
    int result;
    int error;
    int left;
    char blocks[BLOCKS][ROOM] __attribute__((aligned(16)));
};

#define POINTERS(b) b[0], b[1], b[2], b[3], b[4], b[5]

/* Replaces the addresses of new blocks by what is in them. */
static void open_blocks(struct effect *effect, const char *tags) {
    int ordinal = 0;
    for (int i = 0; tags[i] != 0; i++) {
        ordinal += tags[i] != 'n';
        if (tags[i] != 'm')
            continue;
        char *pointer;
        memcpy(&pointer, effect->blocks[i], sizeof pointer);
        /* Allocated perhaps, but not filled. */
        memset(effect->blocks[i], 0, ROOM);
        if (effect->result >= ordinal) {
            strncpy(effect->blocks[i], pointer, ROOM - 1);
            free(pointer);
        }
    }
}

static void compare(struct effect *mine, struct effect *native, const char *what,
                    const char *format, const char *tags, const char *text) {
    open_blocks(mine, tags);
    open_blocks(native, tags);
    CHECK(mine->result == native->result && mine->error == native->error && mine->left == native->left,
          "%s(\"%s\", \"%s\"): result %d %d, errno %d %d, left %d %d", what, text, format,
          mine->result, native->result, mine->error, native->error, mine->left, native->left);
    for (int i = 0; tags[i] != 0; i++)
        CHECK(memcmp(mine->blocks[i], native->blocks[i], ROOM) == 0, "%s(\"%s\", \"%s\"): argument %d",
              what, text, format, i);
}

static void check_text(const char *format, const char *tags, const char *text) {
    struct effect mine = {.left = 0}, native = {.left = 0};
    memset(mine.blocks, 0xaa, sizeof mine.blocks);
    memset(native.blocks, 0xaa, sizeof native.blocks);
    errno = 0;
    mine.result = rt_sscanf(text, format, POINTERS(mine.blocks));
    mine.error = errno;
    errno = 0;
    native.result = sscanf(text, format, POINTERS(native.blocks));
    native.error = errno;
    compare(&mine, &native, "sscanf", format, tags, text);
}

static FILE *stream_of(const char *text) {
    static char bytes[512];
    size_t length = strlen(text);
    memcpy(bytes, text, length);
    FILE *stream = fmemopen(NULL, length + 1, "w+");
    setvbuf(stream, NULL, _IONBF, 0);
    fwrite(bytes, 1, length, stream);
    rewind(stream);
    return stream;
}

static int rest_of(FILE *stream) {
    int left = 0;
    while (getc(stream) != EOF)
        left++;
    fclose(stream);
    return left;
}

static void check_stream(const char *format, const char *tags, const char *text) {
    struct effect mine, native;
    memset(mine.blocks, 0xaa, sizeof mine.blocks);
    memset(native.blocks, 0xaa, sizeof native.blocks);
    FILE *stream = stream_of(text);
    errno = 0;
    mine.result = rt_fscanf(stream, format, POINTERS(mine.blocks));
    mine.error = errno;
    mine.left = rest_of(stream);
    stream = stream_of(text);
    errno = 0;
    native.result = fscanf(stream, format, POINTERS(native.blocks));
    native.error = errno;
    native.left = rest_of(stream);
    compare(&mine, &native, "fscanf", format, tags, text);
}

#define PICK(...)                                                                                  \
    ({                                                                                             \
        static const char *const choices[] = {__VA_ARGS__};                                        \
        choices[below(sizeof choices / sizeof *choices)];                                          \
    })

static void add(char *to, const char *text) { strcat(to, text); }

static void add_conversion(char *format, char *tags) {
    static const char kinds[] = "iiiiffsmcspn";
    char width[8] = "", tag[2] = {kinds[below(sizeof kinds - 1)], 0}, body[16] = "";
    if (below(3) == 0)
        sprintf(width, "%u", 1 + below(8));
    int is_suppressed = below(6) == 0;
    switch (tag[0]) {
    case 'i':
        add(body, PICK("", "", "hh", "h", "l", "ll", "j", "z", "t", "q", "L"));
        add(body, PICK("d", "i", "u", "o", "x", "X"));
        break;
    case 'f':
        add(body, PICK("", "l", "L"));
        add(body, PICK("f", "g", "e", "a", "E"));
        break;
    case 's':
        add(body, PICK("s", "s", "ls", "S", "[a-z]", "[^,]", "[]x]", "[^]]", "[0-9-]", "[z-a]",
                       "[-+.]", "[%x]", "l[a-f]", "[^a-", "[a-cx-z0-9]", "[^0-9]"));
        break;
    case 'm':
        add(body, is_suppressed ? "s" : PICK("ms", "m[a-z0-9]"));
        break;
    case 'c':
        add(body, PICK("c", "lc", "C"));
        break;
    case 'p':
        add(body, "p");
        break;
    default:
        is_suppressed = 0;
        width[0] = 0;
        add(body, PICK("n", "hhn", "hn", "ln"));
    }
    add(format, "%");
    add(format, is_suppressed ? "*" : "");
    add(format, width);
    add(format, body);
    if (!is_suppressed)
        add(tags, tag);
}

static void any_text(char *text) {
    *text = 0;
    for (unsigned words = below(4); words > 0; words--) {
        add(text, PICK("", " ", "  ", "\n", ",", ""));
        add(text, PICK("1", "-12", "+7", "0", "00", "0x1F", "0x", "0xg", "077", "089",
                       "99999999999999999999", "-99999999999999999999", "2147483648",
                       "9223372036854775807", "9223372036854775808", "-9223372036854775809",
                       "18446744073709551615", "18446744073709551616", "ffffffffffffffffff",
                       "0x7fffffffffffffff", "1777777777777777777777", "00000000000000000000012",
                       "1.5", "-2.5e3", "1e", "1e+", ".5", ".", "5.", "-", "+", "-.", "inf",
                       "infinity", "infinix", "in", "nan", "na", "nan(1)", "0x1.8p3", "0x.p1",
                       "0x1p", "1e400", "(nil)", "(NIL)", "(nix", "abc", "hello world", "x", ",",
                       "]", "%", "a-z", "1,2", "12abc", "z-a", "\t", "\n\n", "e5", "0b11", "1.2.3",
                       "--1", "1e-400", "\xc3\xa9", "123456789012345678901234567890.5e-20",
                       "0.000000000000000000000000000000000000000000000000000000000000000000001"));
    }
}

static void check_random(void) {
    char format[128] = "", tags[BLOCKS + 1] = "", text[400];
    for (unsigned pieces = 1 + below(3); pieces > 0; pieces--) {
        add(format, PICK("", "", "", " ", ",", "x", " ,", "%%"));
        add_conversion(format, tags);
    }
    add(format, PICK("", "", " ", ",", "%", "%5", "%y"));
    any_text(text);
    check_text(format, tags, text);
    check_stream(format, tags, text);
}

static void check_selected(void) {
    static const char *const rows[][3] = {
        {"%d", "i", ""}, {"%d", "i", "   "}, {"%d", "i", "x"}, {"%d %d", "ii", "1"},
        {"%*d%d", "i", "1"}, {"%d,%d", "ii", "1 ,2"}, {"%d ,%d", "ii", "1 ,2"},
        {"%2$d %1$d", "ii", "1 2"}, {"%1$s %1$n", "s", "word"}, {"%3c%n", "cn", "ab"},
        {"%3c%n", "cn", "abcd"}, {"%[^\n]%*c%d", "si", "a line\n5"}, {"%5s%s", "ss", "abcdefgh"},
        {"%[a-c]%[^a-c]", "ss", "abcxyzabc"}, {"%[abc", "s", "abc"}, {"%1d%1d%1d", "iii", "123"},
        {"%1d", "i", "-5"}, {"%2x", "i", "0x5"}, {"%3i", "i", "0x5"}, {"%1f", "f", "-1"},
        {"%2f", "f", "-1"}, {"%3lf%s", "fs", "1.5e3"}, {"%4lf%s", "fs", "0x1p3"},
        {"%3f%s", "fs", "infinity"}, {"%4f%s", "fs", "infinity"}, {"%p", "i", "(nil)"},
        {"%4p", "i", "(nil)"}, {"%hhd %hd", "ii", "300 70000"}, {"100%%%d", "i", "100%5"},
        {"100%%%d", "i", "100 %5"}, {"%mc", "i", ""}, {"", "", "abc"}, {" ", "", "  abc"},
        {"abc", "", "abd"}, {"%Lf", "f", "3.14159265358979323846"},
        {"%i %i %i", "iii", "010 0x10 10"}, {"%d%%", "i", "50%"}, {"%s", "s", "\xc2\xa0x"},
        {"%lf", "f", "1.000000000000000000000000000000000000000000000000000000000000000000000001"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_text(rows[i][0], rows[i][1], rows[i][2]);
        check_stream(rows[i][0], rows[i][1], rows[i][2]);
    }
    int n = 0;
    CHECK(rt___isoc99_sscanf("42", "%d", &n) == 1 && n == 42, "%d", n);
}

int main(void) {
    check_selected();
    for (int round = 0; round < 60000; round++)
        check_random();
    DONE();
}
