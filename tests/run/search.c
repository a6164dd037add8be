// search.h, fnmatch, regcomp, wordlists: trees, hash tables, patterns.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT which, int depth) {
    if (which == postorder || which == leaf) printf("%s:%d ", *(const char *const *)node, depth >= 0);
}

static void match(const char *pattern, const char *text, int flags) {
    regex_t r;
    regmatch_t m[4];
    int code = regcomp(&r, pattern, flags);
    char message[80];
    if (code) {
        regerror(code, &r, message, sizeof message);
        printf("%s: %s\n", pattern, message);
        return;
    }
    code = regexec(&r, text, 4, m, 0);
    printf("%s ~ %s: %d", pattern, text, code);
    for (int i = 0; !code && !(flags & REG_NOSUB) && i < 4; i++) printf(" (%d,%d)", (int)m[i].rm_so, (int)m[i].rm_eo);
    printf(" %zu\n", r.re_nsub);
    regfree(&r);
}

int main(void) {
    void *root = NULL;
    const char *words[] = {"pear", "apple", "fig", "cherry", "banana", "fig"};
    for (int i = 0; i < 6; i++) tsearch(words[i], &root, compare);
    twalk(root, visit);
    printf("%d %d\n", tfind("fig", &root, compare) != NULL, tfind("kiwi", &root, compare) == NULL);
    tdelete("fig", &root, compare);
    twalk(root, visit);
    hcreate(50);
    for (int i = 0; i < 5; i++) hsearch((ENTRY){(char *)words[i], (void *)(long)(i + 1)}, ENTER);
    ENTRY *e = hsearch((ENTRY){"cherry", NULL}, FIND);
    printf("\n%ld %d\n", (long)e->data, hsearch((ENTRY){"none", NULL}, FIND) == NULL);
    hdestroy();
    printf("%d %d %d %d %d\n", fnmatch("*.c", "main.c", 0), fnmatch("*.c", ".c", FNM_PERIOD), fnmatch("a?[b-d]", "axc", 0),
           fnmatch("a/*", "a/b/c", FNM_PATHNAME), fnmatch("A*", "abc", FNM_CASEFOLD));
    match("^([a-z]+)@([a-z.]+)$", "bob@example.org", REG_EXTENDED);
    match("a(b|c)*d", "xxabcbcdyy", REG_EXTENDED);
    match("[[:digit:]]\\{2,3\\}", "a12345", 0);
    match("HELLO", "say hello", REG_ICASE);
    match("(unclosed", "x", REG_EXTENDED);
    match("a{2}b?", "aaab", REG_EXTENDED | REG_NOSUB);
    match("\\(.\\)\\1", "abccd", 0);
    struct qelem { struct qelem *f, *b; int v; } one = {0, 0, 1}, two = {0, 0, 2};
    insque(&one, NULL), insque(&two, &one);
    printf("%d %d\n", one.f == &two, two.b->v);
    return 0;
}
