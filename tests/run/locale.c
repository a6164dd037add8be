// The C locale: localeconv, setlocale, nl_langinfo, gettext, collation, iconv.
#include <iconv.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    printf("%s\n", setlocale(LC_ALL, ""));
    printf("%s %s\n", setlocale(LC_NUMERIC, NULL), setlocale(LC_ALL, "no_SUCH.locale") ? "?" : "null");
    struct lconv *l = localeconv();
    printf("[%s] [%s] [%s] %d\n", l->decimal_point, l->thousands_sep, l->currency_symbol, l->frac_digits);
    printf("%s %s %s %s\n", nl_langinfo(CODESET), nl_langinfo(DAY_1), nl_langinfo(MON_12), nl_langinfo(D_FMT));
    printf("%s %s\n", gettext("message"), ngettext("one", "many", 2));
    bindtextdomain("domain", "/nowhere"), textdomain("domain");
    printf("%s %s\n", textdomain(NULL), dgettext("other", "text"));
    printf("%zu %d\n", MB_CUR_MAX, strcoll("a", "B") > 0);
    iconv_t c = iconv_open("UTF-8", "ISO-8859-1");
    char in[] = "caf\xe9", out[20], *i = in, *o = out;
    size_t left = 4, room = sizeof out;
    printf("%zu", iconv(c, &i, &left, &o, &room));
    *o = 0;
    printf(" %s %zu\n", out, strlen(out));
    iconv_close(c);
    printf("%d\n", iconv_open("NOPE", "UTF-8") == (iconv_t)-1);
    return 0;
}
