/* fnmatch against the native function. */
#include "compare.h"
#include <fnmatch.h>

RUNTIME(fnmatch);

static void check(const char *pattern, const char *text, int flags) {
    int mine = rt_fnmatch(pattern, text, flags), native = fnmatch(pattern, text, flags);
    CHECK(mine == native, "'%s' '%s' %d: %d %d", pattern, text, flags, mine, native);
}

int main(void) {
    static const char *pieces[] = {"a", "b", "*", "*", "?", "/", ".", "[ab]", "[!a]", "[^b]", "[a-c]", "\\*", "\\a", "[[:alpha:]]",
                                   "[]a]", "[!]]", "[a", "A", "[b.]", "**", "[[:digit:]b]", "[[=a=]]", "[[.b.]]", "[a-]"};
    static const char *lists[] = {"?(a)", "*(a|b)", "+(a)", "@(ab|b)", "*(ab|?)", "@(a*|[b/])"};
    static const int combinations[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_PATHNAME | FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR,
                                       FNM_PATHNAME | FNM_LEADING_DIR, FNM_PATHNAME | FNM_CASEFOLD | FNM_PERIOD};
    char pattern[200], text[40];
    for (int round = 0; round < 200000; round++) {
        pattern[0] = 0;
        unsigned count = 1 + below(6);
        int extended = below(5) == 0;
        for (unsigned i = 0; i < count; i++)
            strcat(pattern, extended && below(2) ? lists[below(6)] : pieces[below(24)]);
        any_of(text, below(2) ? "ab" : "ab/.A]*", 8);
        /* Extended patterns together with FNM_LEADING_DIR have no sane native result. */
        check(pattern, text, extended ? FNM_EXTMATCH | combinations[below(6)] : combinations[below(9)]);
        check("!(a)", text, FNM_EXTMATCH);
        check("!(a*)", text, FNM_EXTMATCH);
        check("a!(b)", text, FNM_EXTMATCH);
        check("!(a|b?)a", text, FNM_EXTMATCH);
    }
    DONE();
}
