// The preprocessor: recursion guards, stringification, pasting, conditionals, predefined names.
#include <stdio.h>

#define f(x) f(x + 1)
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
#define CAT(a, ...) a##__VA_ARGS__
#define XCAT(a, b) CAT(a, b)
#define EMPTY
#define LPAREN (
#define APPLY(m, ...) m(__VA_ARGS__)
#define FIRST(a, ...) a
#define REST(a, ...) __VA_ARGS__
#define NARG_(a, b, c, d, n, ...) n
#define NARG(...) NARG_(__VA_ARGS__, 4, 3, 2, 1)
#define VERSION 3
#if defined(VERSION) && VERSION >= 3 && !defined(NOTHING) || 1 / 1 == 0
#define CHOICE "new"
#elif VERSION
#define CHOICE "middle"
#else
#define CHOICE "old"
#endif
#ifndef __STDC_VERSION__
#error no version
#endif

static int (f)(int x) { return x * 2; }

int main(void) {
    printf("%d\n", f(5));
    printf("%s|%s|%s\n", STR(a , "b\n" ,c), XSTR(VERSION), XSTR(CAT(VER, SION)));
    printf("%d %s %s\n", XCAT(VERSION, 4), CHOICE, XSTR(EMPTY x EMPTY));
    printf("%d %d %d\n", NARG(1), NARG(1, 2), NARG(1, 2, 3, 4));
    printf("%d %d\n", FIRST(1, 2, 3), FIRST(REST(1, 2, 3)));
    printf("%s %d\n", APPLY(XSTR, VERSION), '\x41' == 'A' ? __LINE__ : 0);
#line 1000 "renamed.c"
    printf("%d %s %s\n", __LINE__, __FILE__, __func__);
    printf("%ld %d\n", __STDC_VERSION__, __COUNTER__ + __COUNTER__);
    printf("%d%d%d\n", __LITTLE_ENDIAN__, __CHAR_BIT__, __SIZEOF_POINTER__);
    printf("??= %c\n", '\?');
    return 0;
}
