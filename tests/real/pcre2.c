// Matches with PCRE2: captures, look-around, recursion, Unicode, errors, limits, substitution, its other matcher.
// subject: pcre2-sys
// sources: upstream/src/pcre2_*.c !upstream/src/pcre2_jit_*.c !upstream/src/pcre2_ucptables.c
// include: upstream/include upstream/src
// cflags: -DPCRE2_CODE_UNIT_WIDTH=8 -DHAVE_STDLIB_H=1 -DHAVE_MEMMOVE=1 -DHAVE_CONFIG_H=1 -DPCRE2_STATIC=1
// cflags: -DSTDC_HEADERS=1 -DSUPPORT_PCRE2_8=1 -DSUPPORT_UNICODE=1 -w
#include <stdio.h>
#include <string.h>
#include "pcre2.h"

static void show(const char *text, pcre2_match_data *match, int groups) {
    PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);
    for (int i = 0; i < groups; i++) {
        if (at[2 * i] == PCRE2_UNSET)
            printf(" %d=unset", i);
        else
            printf(" %d=[%.*s]", i, (int)(at[2 * i + 1] - at[2 * i]), text + at[2 * i]);
    }
    printf(";");
}

static void match_all(pcre2_code *code, const char *text) {
    pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
    size_t start = 0, size = strlen(text);
    int groups = 0;
    while (start <= size) {
        groups = pcre2_match(code, (PCRE2_SPTR)text, size, start, 0, match, NULL);
        if (groups < 0)
            break;
        show(text, match, groups);
        size_t end = pcre2_get_ovector_pointer(match)[1];
        start = end > start ? end : start + 1;
    }
    printf(" %d\n", groups);
    int workspace[200];
    groups = pcre2_dfa_match(code, (PCRE2_SPTR)text, size, 0, 0, match, NULL, workspace, 200);
    printf("  longest first: %d", groups);
    show(text, match, groups > 0 ? groups : 0);
    putchar('\n');
    pcre2_match_data_free(match);
}

static void substitute(pcre2_code *code, const char *text, const char *by) {
    PCRE2_UCHAR out[400];
    PCRE2_SIZE size = sizeof out;
    unsigned options = PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_EXTENDED;
    int count = pcre2_substitute(code, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, options, NULL, NULL,
                                 (PCRE2_SPTR)by, PCRE2_ZERO_TERMINATED, out, &size);
    printf("  %d %s\n", count, count >= 0 ? (char *)out : "");
}

static void try(const char *pattern, unsigned options, const char *text) {
    int error;
    PCRE2_SIZE at;
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &error, &at, NULL);
    printf("%s:", pattern);
    if (!code) {
        PCRE2_UCHAR message[200];
        pcre2_get_error_message(error, message, sizeof message);
        printf(" %s at %zu\n", (char *)message, (size_t)at);
        return;
    }
    match_all(code, text);
    substitute(code, text, "<$0>");
    substitute(code, text, "\\U${1:-none}\\E!");
    pcre2_code_free(code);
}

int main(void) {
    try("(\\w+)@(\\w+)\\.com", 0, "joe@example.com, ann@x.com");
    try("(?<year>\\d{4})-(?<month>\\d\\d)", 0, "2024-01 1999-12");
    try("a(?=b)|(?<!x)c", 0, "ab ac xc c");
    try("^(\\((?:[^()]|(?1))*\\))$", 0, "(a(b)c(d(e)))");
    try("(a)|(b)|(?<tail>c+)", 0, "abcc");
    try("\\p{Lu}\\p{Ll}+", PCRE2_UTF | PCRE2_UCP, "Ünicode Straße ÉTÉ Été");
    try("straße", PCRE2_UTF | PCRE2_CASELESS, "STRASSE straße STRAẞE");
    try("(a+)+$", 0, "aaaaaaaaaaaaaab");
    try("(?P<n>a)(?P=n)\\1*+b?", 0, "aaaab aab");
    try("(x{2,3}?)", 0, "xxxxxx");
    try("^\\s*(#.*)?$", PCRE2_MULTILINE, "# one\n\n  # two\nthree");
    try("(?x) ( \\d+ ) (?# a number ) \\b", 0, "12 and 345");
    try("(?|(a)|(b))(?(1)c|d)", 0, "ac bc d");
    try("\\X", PCRE2_UTF, "e\xcc\x81x");
    try(".", PCRE2_UTF, "bad \xff byte");
    try("[z-a]", 0, "");
    try("(unclosed", 0, "");
    return 0;
}
