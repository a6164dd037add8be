/* Regular expressions against the native functions. */
#include "compare.h"
#include <regex.h>

RUNTIME(regcomp);
RUNTIME(regexec);
RUNTIME(regerror);
RUNTIME(regfree);

static void check(const char *pattern, const char *text, int flags, int run_flags) {
    regex_t mine, native;
    int a = rt_regcomp(&mine, pattern, flags), b = regcomp(&native, pattern, flags);
    CHECK(a == b, "regcomp('%s', %d): %d %d", pattern, flags, a, b);
    if (a != 0 || b != 0) {
        if (a == 0)
            rt_regfree(&mine);
        if (b == 0)
            regfree(&native);
        return;
    }
    CHECK(mine.re_nsub == native.re_nsub, "'%s'", pattern);
    regmatch_t x[6], y[6];
    memset(x, 7, sizeof x);
    memset(y, 7, sizeof y);
    x[0].rm_so = y[0].rm_so = 0;
    x[0].rm_eo = y[0].rm_eo = (regoff_t)strlen(text);
    a = rt_regexec(&mine, text, 6, x, run_flags);
    b = regexec(&native, text, 6, y, run_flags);
    CHECK(a == b, "regexec('%s', '%s', %d %d): %d %d", pattern, text, flags, run_flags, a, b);
    if (a == 0 && b == 0) {
        CHECK(memcmp(x, y, sizeof x) == 0, "regexec('%s', '%s', %d %d): %d-%d %d-%d %d-%d, %d-%d %d-%d %d-%d", pattern, text, flags, run_flags,
              x[0].rm_so, x[0].rm_eo, x[1].rm_so, x[1].rm_eo, x[2].rm_so, x[2].rm_eo, y[0].rm_so, y[0].rm_eo, y[1].rm_so, y[1].rm_eo, y[2].rm_so, y[2].rm_eo);
    }
    rt_regfree(&mine);
    regfree(&native);
}

static const char *extended[] = {"a", "b", "c", ".", "(", ")", "|", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{0}", "[ab]", "[^a]", "^", "$", "(a|ab)", "(b*)", "ab"};
static const char *basic[] = {"a", "b", "c", ".", "\\(", "\\)", "\\|", "*", "\\+", "\\?", "\\{2\\}", "\\{1,\\}", "[ab]", "[^a]", "^", "$", "\\(a*\\)", "+", "{", "ab"};
static const char *odd[] = {"[", "]", "[]a]", "[^]a]", "[a-b]", "[b-a]", "[a-]", "[-a]", "[[:alpha:]]", "[[:nope:]]", "[[.a.]]", "[[.ab.]]", "[[=a=]]", "[a-b-c]", "[---]", "\\w", "\\W", "\\b", "\\B", "\\<", "\\>", "\\`", "\\'", "\\s", "\\S", "\\", "{", "}", "{1", "{a}", "{1,2", "{2,1}", "{70000}", "\\a", "\\.", "A", "[A-Z]", "[[:upper:]]", "()", "\\(\\)", "[[:alpha:]", "[a", "[[.", "_", "[Z-a]", "[b-"};

static void any_pattern(char *to, int is_extended, unsigned oddness) {
    unsigned count = 1 + below(7);
    to[0] = 0;
    for (unsigned i = 0; i < count; i++) {
        if (oddness && below(oddness) == 0)
            strcat(to, odd[below(sizeof odd / sizeof *odd)]);
        else
            strcat(to, is_extended ? extended[below(21)] : basic[below(20)]);
    }
}

static void check_messages(void) {
    char a[100] = "", b[100] = "";
    for (int error = 0; error <= 16; error++)
        for (size_t size = 0; size < 60; size++) {
            memset(a, 'q', 60), memset(b, 'q', 60);
            CHECK(rt_regerror(error, NULL, a, size) == regerror(error, NULL, b, size) && memcmp(a, b, 60) == 0, "%d", error);
        }
}

static void check_references(void) {
    static const char *patterns[] = {"\\(a*\\)b\\1", "\\(.\\)\\1", "^\\(.*\\)\\1$", "\\([ab]*\\)c\\1", "\\(a\\)\\(b\\)\\2\\1", "\\(.\\)\\(.\\)\\2\\1", "\\(.*\\)\\1",
                                     "\\([a-c]\\)[a-c]*\\1", "\\(ab*\\)\\1\\{2\\}", "x\\1\\(a\\)", "\\(a\\)\\2", "\\(\\)\\1a", "\\(..*\\)\\1\\1*c"};
    char text[20];
    for (int i = 0; i < 5000; i++)
        check(patterns[below(13)], any_of(text, below(2) ? "ab" : "abc", 10), 0, 0);
    for (int i = 0; i < 1000; i++)
        check("(a|b)\\1", any_of(text, "abAB", 8), REG_EXTENDED | (below(2) ? REG_ICASE : 0), 0);
}

/* Patterns with newlines, and flags that concern lines. */
static void check_lines(void) {
    static const char *patterns[] = {"^a", "a$", "^$", "^.*$", "a.b", "[^b]", "^a*", "b*$", "(^a|b$)", "a\nb", "^a\nb$", "\\`a", "b\\'", "\\<a", "b\\>", "\\ba\\b", "."};
    char text[20];
    for (int i = 0; i < 20000; i++)
        check(patterns[below(17)], any_of(text, "ab\n ", 8), REG_EXTENDED | (below(2) ? REG_NEWLINE : 0), (int)(below(2) ? 0 : below(8)));
}

/* What takes time exponential in the length with naive search. */
static void check_work(void) {
    char text[2001];
    memset(text, 'a', 2000);
    text[2000] = 0;
    check("(a*)*b", text, REG_EXTENDED, 0);
    check("(a|aa)+$", text, REG_EXTENDED, 0);
    check("(a|a)*(a|a)*c?$", text, REG_EXTENDED, 0);
    check("(x+x+)+y|a{30}", text, REG_EXTENDED, 0);
}

int main(void) {
    char pattern[200], text[40];
    check_references();
    check_lines();
    check_work();
    check_messages();
    for (int round = 0; round < 60000; round++) {
        int is_extended = (int)below(2);
        any_pattern(pattern, is_extended, below(2) ? 4 : 0);
        any_of(text, below(4) ? "abc" : "aAb_ c", 10);
        int flags = (is_extended ? REG_EXTENDED : 0) | (below(5) ? 0 : REG_ICASE) | (below(5) ? 0 : REG_NEWLINE);
        check(pattern, text, flags, (int)(below(3) ? 0 : below(8)));
    }
    DONE();
}
