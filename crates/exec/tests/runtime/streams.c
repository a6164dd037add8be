/* Bytes, lines and blocks of streams, and numbers with a point, against the
 * native functions. */
#include "compare.h"

RUNTIME(fgets);
RUNTIME(fread);
RUNTIME(getline);
RUNTIME(getdelim);
RUNTIME(getc);
RUNTIME(fputs);
RUNTIME(fputc);
RUNTIME(putw);
RUNTIME(getw);
RUNTIME(strtod);
RUNTIME(strtof);
RUNTIME(strtold);

static void check_fgets(FILE *mine, FILE *native) {
    char mine_line[64], native_line[64];
    for (;;) {
        int size = (int)below(20);
        memset(mine_line, 1, sizeof mine_line);
        memset(native_line, 1, sizeof native_line);
        char *a = rt_fgets(mine_line, size, mine), *b = fgets(native_line, size, native);
        CHECK((a == mine_line) == (b == native_line) && (a == NULL) == (b == NULL), "size %d", size);
        CHECK(feof(mine) == feof(native) && ftell(mine) == ftell(native), "size %d", size);
        if (b != NULL)
            CHECK(strcmp(a, b) == 0 && memcmp(a, b, strlen(b) + 1) == 0, "%s %s", a, b);
        else if (size > 1)
            break;
    }
}

static void check_getline(FILE *mine, FILE *native) {
    char *mine_line = NULL, *native_line = NULL;
    size_t mine_size = 0, native_size = 0;
    ssize_t a, b;
    do {
        int delimiter = below(3) ? '\n' : 'a';
        a = rt_getdelim(&mine_line, &mine_size, delimiter, mine);
        b = getdelim(&native_line, &native_size, delimiter, native);
        CHECK(a == b && mine_size == native_size, "%zd %zd, size %zu %zu", a, b, mine_size, native_size);
        if (b >= 0)
            CHECK(memcmp(mine_line, native_line, (size_t)b + 1) == 0, "%s %s", mine_line, native_line);
    } while (b >= 0 && a == b);
    free(mine_line);
    free(native_line);
    errno = 0;
    CHECK(rt_getline(NULL, &mine_size, mine) == -1 && errno == EINVAL, "%d", errno);
}

static void check_fread(FILE *mine, FILE *native) {
    char mine_block[300], native_block[300];
    for (;;) {
        size_t size = below(10), count = below(30);
        memset(mine_block, 1, sizeof mine_block);
        memset(native_block, 1, sizeof native_block);
        size_t a = rt_fread(mine_block, size, count, mine);
        size_t b = fread(native_block, size, count, native);
        CHECK(a == b && feof(mine) == feof(native) && ftell(mine) == ftell(native), "%zu %zu", a, b);
        CHECK(memcmp(mine_block, native_block, sizeof mine_block) == 0, "%zu times %zu", size, count);
        CHECK(rt_getc(mine) == getc(native), "byte");
        CHECK(rt_getw(mine) == getw(native), "word");
        if (feof(native))
            break;
    }
}

static FILE *stream_of(const char *bytes, size_t length) {
    FILE *stream = tmpfile();
    fwrite(bytes, 1, length, stream);
    rewind(stream);
    return stream;
}

static void check_reading(void (*check)(FILE *, FILE *)) {
    char bytes[2000];
    size_t length = below(sizeof bytes);
    unsigned lines = 1 + below(400);
    for (size_t i = 0; i < length; i++)
        bytes[i] = below(lines) == 0 ? '\n' : below(20) == 0 ? 0 : (char)('a' + below(9));
    FILE *mine = stream_of(bytes, length), *native = stream_of(bytes, length);
    check(mine, native);
    fclose(mine);
    fclose(native);
}

static void check_writing(void) {
    FILE *stream = tmpfile();
    CHECK(rt_fputs("one\n", stream) == 1 && rt_fputs("", stream) == 1, "fputs");
    CHECK(rt_fputc(300, stream) == 44 && rt_putw(0x41424344, stream) == 0, "fputc");
    rewind(stream);
    char text[16] = "";
    CHECK(fread(text, 1, 15, stream) == 9 && strcmp(text, "one\n,DCBA") == 0, "%s", text);
    CHECK(rt_fputs("x", stdin) == EOF && rt_fputc('x', stdin) == EOF, "not for writing");
    fclose(stream);
}

static int same(const void *left, const void *right, size_t size) { return memcmp(left, right, size) == 0; }

#define CHECK_NUMBER(type, size, function)                                                         \
    do {                                                                                           \
        char *mine_end, *native_end;                                                               \
        errno = 0;                                                                                 \
        type mine = rt_##function(text, &mine_end);                                                \
        int error = errno;                                                                         \
        errno = 0;                                                                                 \
        type native = function(text, &native_end);                                                 \
        CHECK(same(&mine, &native, size) && mine_end == native_end && error == errno,              \
              "%s(\"%s\"): %Lg %Lg, %zd", #function, text, (long double)mine, (long double)native,  \
              mine_end - native_end);                                                              \
    } while (0)

static void check_number(const char *text) {
    CHECK_NUMBER(double, 8, strtod);
    CHECK_NUMBER(float, 4, strtof);
    CHECK_NUMBER(long double, 10, strtold);
}

static void check_numbers(void) {
    static const char *const edges[] = {
        "", " ", ".", "-", "-.", "0", "-0", "+0.0", "1.", ".5", "-.5e1", "1e", "1e+", "1e-x", "1e5x", "0x10",
        "0x", "0X1p3", "00x1", "0.x1", "inf", "-infinity", "nan", "nan(12)", "1e22", "1e23", "1e-22", "1e-23",
        "999999999999999e22", "9999999999999999", "16777216", "16777217", "9999999e10", "9999999e-10",
        "1e400", "1e-400", "1e99999", "1.5.5", "1e5.5", " \t\n1.25", "--1", "0e0", "0e999", "1E3", "1 2"};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        check_number(edges[i]);
    char text[64];
    for (int round = 0; round < 100000; round++) {
        check_number(any_of(text, below(2) ? "0123456789." : "0123456789.e-+ x", 18));
        sprintf(text, "%u.%0*ue%d", below(100000), 1 + below(9), below(100000), (int)below(40) - 20);
        check_number(text);
    }
}

int main(void) {
    for (int round = 0; round < 200; round++) {
        check_reading(check_fgets);
        check_reading(check_getline);
        check_reading(check_fread);
    }
    check_writing();
    check_numbers();
    DONE();
}
