/* ctype.h against the native functions and tables. */
#include "compare.h"
#include <ctype.h>

#define CLASS(name)                                                            \
    extern int rt_##name(int);                                                 \
    extern int rt_##name##_l(int, void *);                                     \
    static void check_##name(int c) {                                          \
        CHECK(rt_##name(c) == (name)(c), "%d: %d %d", c, rt_##name(c), (name)(c)); \
        CHECK(rt_##name##_l(c, NULL) == (name)(c), "%d", c);                   \
    }
CLASS(isalnum)
CLASS(isalpha)
CLASS(isblank)
CLASS(iscntrl)
CLASS(isdigit)
CLASS(isgraph)
CLASS(islower)
CLASS(isprint)
CLASS(ispunct)
CLASS(isspace)
CLASS(isupper)
CLASS(isxdigit)
CLASS(tolower)
CLASS(toupper)
extern int rt_isascii(int), rt_toascii(int);
RUNTIME(__ctype_b_loc);
RUNTIME(__ctype_tolower_loc);
RUNTIME(__ctype_toupper_loc);

int main(void) {
    for (int c = -1; c < 256; c++) {
        check_isalnum(c);
        check_isalpha(c);
        check_isblank(c);
        check_iscntrl(c);
        check_isdigit(c);
        check_isgraph(c);
        check_islower(c);
        check_isprint(c);
        check_ispunct(c);
        check_isspace(c);
        check_isupper(c);
        check_isxdigit(c);
        check_tolower(c);
        check_toupper(c);
        CHECK(rt_isascii(c) == (isascii)(c), "%d", c);
        CHECK(rt_toascii(c) == (toascii)(c), "%d", c);
    }
    for (int c = -128; c < 256; c++) {
        CHECK((*rt___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "%d", c);
        CHECK((*rt___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "%d", c);
        CHECK((*rt___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "%d", c);
    }
    DONE();
}
