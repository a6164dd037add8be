/* Wide and multibyte characters in the C locale against the native functions. */
#include "compare.h"
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

#define CLASS(name)                                                            \
    extern int rt_isw##name(wint_t);                                           \
    static void check_##name(wint_t c) {                                       \
        CHECK(rt_isw##name(c) == (isw##name)(c), "%x: %d", c, rt_isw##name(c)); \
        CHECK(rt_iswctype(c, rt_wctype(#name)) == iswctype(c, wctype(#name)), "%x", c); \
    }
RUNTIME(wctype);
RUNTIME(iswctype);
RUNTIME(wctrans);
RUNTIME(towctrans);
RUNTIME(towlower);
RUNTIME(towupper);
CLASS(alnum)
CLASS(alpha)
CLASS(blank)
CLASS(cntrl)
CLASS(digit)
CLASS(graph)
CLASS(lower)
CLASS(print)
CLASS(punct)
CLASS(space)
CLASS(upper)
CLASS(xdigit)
RUNTIME(wcwidth);
RUNTIME(wcswidth);
RUNTIME(btowc);
RUNTIME(wctob);
RUNTIME(mbrtowc);
RUNTIME(mbrlen);
RUNTIME(wcrtomb);
RUNTIME(mbtowc);
RUNTIME(mblen);
RUNTIME(wctomb);
RUNTIME(mbsinit);
RUNTIME(mbstowcs);
RUNTIME(wcstombs);
RUNTIME(mbsrtowcs);
RUNTIME(wcsrtombs);
RUNTIME(mbsnrtowcs);
RUNTIME(wcsnrtombs);
RUNTIME(mbrtoc16);
RUNTIME(c32rtomb);
RUNTIME(wcslen);
RUNTIME(wcsnlen);
RUNTIME(wcscpy);
RUNTIME(wcpcpy);
RUNTIME(wcsncpy);
RUNTIME(wcscat);
RUNTIME(wcsncat);
RUNTIME(wcscmp);
RUNTIME(wcsncmp);
RUNTIME(wcscasecmp);
RUNTIME(wcsncasecmp);
extern wchar_t *rt_wcschr(const wchar_t *, wchar_t), *rt_wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *rt_wcspbrk(const wchar_t *, const wchar_t *), *rt_wcsstr(const wchar_t *, const wchar_t *);
extern wchar_t *rt_wmemchr(const wchar_t *, wchar_t, size_t);
RUNTIME(wcsspn);
RUNTIME(wcscspn);
RUNTIME(wcstok);
RUNTIME(wmemcmp);
RUNTIME(wmemset);
extern long rt_wcstol(const wchar_t *, wchar_t **, int);
extern unsigned long rt_wcstoul(const wchar_t *, wchar_t **, int);
RUNTIME(wcstod);

static wchar_t *any_wide(wchar_t *to, unsigned most) {
    static const wchar_t letters[] = L"abAB, \x80\xe9\x100\x7fffffff";
    unsigned length = below(most + 1);
    for (unsigned i = 0; i < length; i++)
        to[i] = letters[below(10)];
    to[length] = 0;
    return to;
}

static void check_classes(void) {
    for (wint_t i = 0; i < 0x500; i++) {
        wint_t c = i < 0x400 ? i : i == 0x400 ? WEOF : below(0x30000);
        check_alnum(c), check_alpha(c), check_blank(c), check_cntrl(c), check_digit(c), check_graph(c);
        check_lower(c), check_print(c), check_punct(c), check_space(c), check_upper(c), check_xdigit(c);
        CHECK(rt_towlower(c) == towlower(c) && rt_towupper(c) == towupper(c), "%x", c);
        CHECK(rt_towctrans(c, rt_wctrans("toupper")) == towctrans(c, wctrans("toupper")), "%x", c);
        CHECK(rt_wcwidth((wchar_t)c) == wcwidth((wchar_t)c), "%x", c);
        CHECK(rt_wctob(c) == wctob(c), "%x", c);
        CHECK(rt_btowc((int)c) == btowc((int)c), "%x", c);
    }
    CHECK(rt_wctype("none") == 0 && rt_wctrans("none") == NULL, "no class");
}

static void check_one_character(int byte, wchar_t wide) {
    char c = (char)byte, a[16] = "qqq", b[16] = "qqq";
    mbstate_t state = {0}, native_state = {0};
    for (size_t limit = 0; limit < 3; limit++) {
        wchar_t x = 77, y = 77;
        char16_t p = 7, q = 7;
        char text[3] = {c, 'b', 0};
        errno = 0;
        size_t i = rt_mbrtowc(&x, text, limit, &state);
        int number = errno;
        errno = 0;
        size_t j = mbrtowc(&y, text, limit, &native_state);
        CHECK(i == j && x == y && number == errno, "%d %zu", byte, limit);
        CHECK(rt_mbrlen(text, limit, &state) == mbrlen(text, limit, &native_state), "%d", byte);
        memset(&native_state, 0, sizeof native_state);
        CHECK(rt_mbtowc(&x, text, limit) == mbtowc(&y, text, limit) && x == y, "%d %zu", byte, limit);
        CHECK(rt_mblen(text, limit) == mblen(text, limit), "%d %zu", byte, limit);
        CHECK(rt_mbrtoc16(&p, text, limit, &state) == mbrtoc16(&q, text, limit, &native_state) && p == q, "%d", byte);
        memset(&native_state, 0, sizeof native_state);
    }
    errno = 0;
    size_t i = rt_wcrtomb(a, wide, &state);
    int number = errno;
    errno = 0;
    size_t j = wcrtomb(b, wide, &native_state);
    CHECK(i == j && number == errno && memcmp(a, b, 16) == 0, "%x", wide);
    CHECK(rt_wctomb(a, wide) == wctomb(b, wide) && memcmp(a, b, 16) == 0, "%x", wide);
    CHECK(rt_c32rtomb(a, (char32_t)wide, &state) == c32rtomb(b, (char32_t)wide, &native_state), "%x", wide);
    CHECK(rt_mbsinit(&state) == mbsinit(&native_state), "%x", wide);
}

static int sign(int order) { return (order > 0) - (order < 0); }

static void check_strings(void) {
    char text[20];
    wchar_t a[40] = {0}, b[40] = {0}, wide[20], *u, *v;
    any_of(text, below(3) ? "abc" : "ab\xe9", 8);
    size_t room = below(12), limit = below(12);
    const char *p = text, *q = text;
    CHECK(rt_mbstowcs(a, text, room) == mbstowcs(b, text, room) && memcmp(a, b, sizeof a) == 0, "%s", text);
    CHECK(rt_mbstowcs(NULL, text, 0) == mbstowcs(NULL, text, 0), "%s", text);
    mbstate_t state = {0}, native_state = {0};
    CHECK(rt_mbsrtowcs(a, &p, room, &state) == mbsrtowcs(b, &q, room, &native_state) && p == q, "%s", text);
    p = q = text;
    memset(&native_state, 0, sizeof native_state);
    CHECK(rt_mbsnrtowcs(a, &p, limit, room, &state) == mbsnrtowcs(b, &q, limit, room, &native_state) && p == q,
          "%s %zu %zu: %ld %ld", text, limit, room, p - text, q - text);
    CHECK(memcmp(a, b, sizeof a) == 0, "%s", text);
    any_wide(wide, below(3) ? 8 : 2);
    char c[20] = "", d[20] = "";
    const wchar_t *s = wide, *t = wide;
    CHECK(rt_wcstombs(c, wide, room) == wcstombs(d, wide, room) && memcmp(c, d, 20) == 0, "%ls", wide);
    memset(&native_state, 0, sizeof native_state);
    CHECK(rt_wcsnrtombs(c, &s, limit, room, &state) == wcsnrtombs(d, &t, limit, room, &native_state) && s == t, "wide");
    s = t = wide;
    CHECK(rt_wcsrtombs(c, &s, room, &state) == wcsrtombs(d, &t, room, &native_state) && s == t, "wide");
    any_wide(a, 9), any_wide(b, 9);
    if (below(2))
        wmemcpy(b, a, below(9));
    CHECK(rt_wcslen(a) == wcslen(a) && rt_wcsnlen(a, room) == wcsnlen(a, room), "length");
    /* The native results depend on the processor; their signs do not. */
    CHECK(sign(rt_wcscmp(a, b)) == sign(wcscmp(a, b)), "order %d %d", rt_wcscmp(a, b), wcscmp(a, b));
    CHECK(sign(rt_wcsncmp(a, b, room)) == sign(wcsncmp(a, b, room)), "order within %zu", room);
    CHECK(rt_wmemcmp(a, b, room) == wmemcmp(a, b, room), "order");
    CHECK(rt_wcscasecmp(a, b) == wcscasecmp(a, b) && rt_wcsncasecmp(a, b, room) == wcsncasecmp(a, b, room), "order");
    CHECK(rt_wcschr(a, 'b') == wcschr(a, 'b') && rt_wcsrchr(a, 0xe9) == wcsrchr(a, 0xe9), "place");
    CHECK(rt_wcsspn(a, wide) == wcsspn(a, wide) && rt_wcscspn(a, wide) == wcscspn(a, wide), "span");
    CHECK(rt_wcspbrk(a, wide) == wcspbrk(a, wide) && rt_wcsstr(a, wide) == wcsstr(a, wide), "place");
    CHECK(rt_wmemchr(a, 'A', room) == wmemchr(a, 'A', room), "place");
    CHECK(rt_wcswidth(a, room) == wcswidth(a, room), "width");
    wchar_t e[40], f[40];
    wmemset(e, 'q', 40), rt_wmemset(f, 'q', 40);
    CHECK(rt_wcpcpy(e, a) - e == wcpcpy(f, a) - f && rt_wcscat(e, b) == e && wcscat(f, b) == f && memcmp(e, f, sizeof e) == 0, "copy");
    rt_wcsncat(e, b, room), wcsncat(f, b, room);
    CHECK(memcmp(e, f, sizeof e) == 0, "copy");
    rt_wcsncpy(e, a, room), wcsncpy(f, a, room);
    CHECK(memcmp(e, f, sizeof e) == 0, "copy");
    e[39] = f[39] = 0;
    wchar_t *x = rt_wcstok(e, L",b", &u), *y = wcstok(f, L",b", &v);
    while (x != NULL && y != NULL) {
        CHECK(x - e == y - f && wcscmp(x, y) == 0, "split");
        x = rt_wcstok(NULL, L",b", &u), y = wcstok(NULL, L",b", &v);
    }
    CHECK(x == NULL && y == NULL, "split");
}

static void check_numbers(void) {
    static const wchar_t *texts[] = {L"12", L" -0x1fz", L"99999999999999999999", L"-99999999999999999999", L"\xe9" L"1", L"1\x100", L"", L"-", L"3.25e2x", L"0b1"};
    for (int i = 0; i < 10; i++)
        for (int base = -1; base < 38; base++) {
            wchar_t *a = NULL, *b = NULL;
            errno = 0;
            long x = rt_wcstol(texts[i], &a, base);
            int number = errno;
            errno = 0;
            long y = wcstol(texts[i], &b, base);
            CHECK(x == y && a == b && number == errno, "%d %d", i, base);
            CHECK(rt_wcstoul(texts[i], &a, base) == wcstoul(texts[i], &b, base) && a == b, "%d %d", i, base);
            CHECK(rt_wcstod(texts[i], &a) == wcstod(texts[i], &b) && a == b, "%d", i);
        }
}

int main(void) {
    check_classes();
    for (int byte = 0; byte < 256; byte++)
        check_one_character(byte, byte < 200 ? byte : byte * 7777);
    for (int round = 0; round < 20000; round++)
        check_strings();
    check_numbers();
    DONE();
}
