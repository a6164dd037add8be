/* Locale, translation and conversion of encodings against the native library
 * in the C locale. */
#include "compare.h"
#include <ctype.h>
#include <iconv.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>

RUNTIME(setlocale);
RUNTIME(localeconv);
RUNTIME(nl_langinfo);
RUNTIME(newlocale);
RUNTIME(duplocale);
RUNTIME(freelocale);
RUNTIME(uselocale);
RUNTIME(gettext);
RUNTIME(dcgettext);
RUNTIME(ngettext);
RUNTIME(textdomain);
RUNTIME(bindtextdomain);
RUNTIME(bind_textdomain_codeset);
RUNTIME(rpmatch);
RUNTIME(iconv_open);
RUNTIME(iconv);
RUNTIME(iconv_close);

static int same(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static void check_locale(void) {
    static const char *names[] = {NULL, "C", "POSIX", "", "xx_XX", "C;C", "LC_CTYPE=C;LC_TIME=POSIX", "LC_CTYPE=C;LC_TIME=xx",
        "LC_CTYPE=C;LC_NUMERIC=C;LC_TIME=C;LC_COLLATE=C;LC_MONETARY=C;LC_MESSAGES=C;LC_PAPER=C;LC_NAME=C;LC_ADDRESS=C;"
        "LC_TELEPHONE=C;LC_MEASUREMENT=C;LC_IDENTIFICATION=C"};
    for (int i = 0; i < 9; i++)
        for (int category = -1; category < 14; category++)
            if (category == LC_ALL || i < 5)
                CHECK(i == 6 || same(rt_setlocale(category, names[i]), setlocale(category, names[i])), "%d %s", category, names[i]);
    struct lconv *mine = rt_localeconv(), *native = localeconv();
    char **a = &mine->decimal_point, **b = &native->decimal_point;
    for (int i = 0; i < 10; i++)
        CHECK(same(a[i], b[i]), "%d", i);
    CHECK(memcmp(&mine->int_frac_digits, &native->int_frac_digits, 14) == 0, "digits");
    for (int item = ABDAY_1; item < ERA; item++)
        CHECK(same(rt_nl_langinfo(item), nl_langinfo(item)), "%x", item);
    static const int items[] = {CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, CRNCYSTR, _DATE_FMT, ALTMON_1, ALTMON_12, ERA, -1};
    for (int i = 0; i < 11; i++)
        CHECK(same(rt_nl_langinfo(items[i]), nl_langinfo(items[i])), "%x", items[i]);
    locale_t c = rt_newlocale(LC_ALL_MASK, "C", NULL);
    CHECK(c != NULL && isalpha_l('x', c) && !isalpha_l('1', c) && toupper_l('x', c) == 'X', "tables");
    CHECK(rt_newlocale(LC_ALL_MASK, "xx", NULL) == NULL && rt_newlocale(1 << 20, "C", NULL) == NULL, "refused");
    CHECK(rt_uselocale(NULL) == LC_GLOBAL_LOCALE && rt_uselocale(c) == LC_GLOBAL_LOCALE && rt_uselocale(NULL) == c, "use");
    rt_freelocale(rt_duplocale(c));
}

static void check_domains(void) {
    static const char *names[] = {NULL, "", "messages", "foo", "bar"}, *values[] = {NULL, "/x", "UTF-8"};
    for (int i = 0; i < 300; i++) {
        const char *name = names[below(5)], *value = values[below(3)];
        switch (below(3)) {
        case 0: CHECK(same(rt_textdomain(name), textdomain(name)), "%s", name); break;
        case 1: CHECK(same(rt_bindtextdomain(name, value), bindtextdomain(name, value)), "%s %s", name, value); break;
        default: CHECK(same(rt_bind_textdomain_codeset(name, value), bind_textdomain_codeset(name, value)), "%s %s", name, value);
        }
    }
    for (unsigned long n = 0; n < 4; n++)
        CHECK(same(rt_ngettext("one", "many", n), ngettext("one", "many", n)), "%lu", n);
    CHECK(same(rt_gettext("word"), "word") && same(rt_dcgettext("foo", "word", LC_MESSAGES), "word"), "word");
    static const char *answers[] = {"", "y", "Yes", "n", "NO", "maybe"};
    for (int i = 0; i < 6; i++)
        CHECK(rt_rpmatch(answers[i]) == rpmatch(answers[i]), "%s", answers[i]);
}

static const char *encodings[] = {"ASCII", "ISO-8859-1", "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"};

/* Text in some encoding, sometimes damaged. */
static size_t any_text(const char *encoding, char *to) {
    static const uint32_t characters[] = {'a', 'b', 0x7f, 0x80, 0xe9, 0xff, 0x100, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x1f600, 0x10ffff};
    uint32_t text[8];
    size_t count = below(7), left = count * 4, room = 64;
    unsigned most = below(2) ? 6 : 14;
    for (size_t i = 0; i < count; i++)
        text[i] = characters[below(most)];
    char *from = (char *)text, *at = to;
    iconv_t converter = iconv_open(encoding, "WCHAR_T");
    iconv(converter, &from, &left, &at, &room);
    iconv_close(converter);
    if (below(4) == 0 && at > to)
        to[below((unsigned)(at - to))] = (char)below(256);
    size_t length = (size_t)(at - to);
    return below(6) == 0 && length > 0 ? length - 1 : length;
}

static void check_conversion(void) {
    const char *from = encodings[below(9)];
    char to[40], text[64], a[100] = "", b[100] = "";
    int ignores = below(6) == 0;
    sprintf(to, "%s%s", encodings[below(9)], ignores ? "//IGNORE" : "");
    iconv_t mine = rt_iconv_open(to, from), native = iconv_open(to, from);
    CHECK(mine != (iconv_t)-1 && native != (iconv_t)-1, "%s %s", from, to);
    for (int part = 0; part < 2; part++) {
        size_t length = any_text(from, text), left = length, native_left = length;
        if (length == 0)
            continue; /* Whether a mark is written for nothing is no one's matter. */
        size_t room = below(4) ? 90 : below(12), native_room = room;
        char *in = text, *native_in = text, *out = a, *native_out = b;
        errno = 0;
        size_t i = rt_iconv(mine, &in, &left, &out, &room);
        int number = errno;
        errno = 0;
        size_t j = iconv(native, &native_in, &native_left, &native_out, &native_room);
        if (ignores && j == (size_t)-1 && (errno != EILSEQ || number != EILSEQ))
            break; /* Which of two failures is reported is arbitrary. */
        CHECK(i == j && number == errno && left == native_left && room == native_room && memcmp(a, b, sizeof a) == 0,
              "%s to %s: %zd %zd, errno %d %d, left %zu %zu of %zu, room %zu %zu", from, to, i, j, number, errno, left, native_left, length, room, native_room);
        if (i == (size_t)-1)
            break;
    }
    rt_iconv_close(mine);
    iconv_close(native);
}

int main(void) {
    check_locale();
    check_domains();
    for (int round = 0; round < 20000; round++)
        check_conversion();
    CHECK(rt_iconv_open("no-such", "UTF-8") == (iconv_t)-1 && errno == EINVAL, "unknown");
    DONE();
}
