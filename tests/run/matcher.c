// grep: plain and by patterns, with counts, line numbers, inversion, context.
// args: -n -v o
// stdin: one
// stdin: two
// stdin: three
// stdin: four
// stdin: 
// stdin: six
#include <stdio.h>
#include <string.h>

static int here(const char *re, const char *text);
static int star(int c, const char *re, const char *text) {
    do if (here(re, text)) return 1;
    while (*text && (*text++ == c || c == '.'));
    return 0;
}
static int here(const char *re, const char *text) {
    if (!re[0]) return 1;
    if (re[1] == '*') return star(re[0], re + 2, text);
    if (re[0] == '$' && !re[1]) return !*text;
    if (*text && (re[0] == '.' || re[0] == *text)) return here(re + 1, text + 1);
    return 0;
}
static int match(const char *re, const char *text) {
    if (re[0] == '^') return here(re + 1, text);
    do if (here(re, text)) return 1;
    while (*text++);
    return 0;
}

int main(int argc, char **argv) {
    int number = 0, invert = 0, counting = 0, i = 1, found = 0, n = 0;
    for (; i < argc && argv[i][0] == '-'; i++) {
        number |= argv[i][1] == 'n', invert |= argv[i][1] == 'v', counting |= argv[i][1] == 'c';
    }
    if (i >= argc) return fprintf(stderr, "usage: %s pattern\n", argv[0]), 2;
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        n++;
        line[strcspn(line, "\n")] = 0;
        if (match(argv[i], line) == invert) continue;
        found++;
        if (counting) continue;
        if (number) printf("%d:", n);
        puts(line);
    }
    if (counting) printf("%d\n", found);
    const char *patterns[] = {"a*b", "^a*$", "x.z", "", "^$", "a.*c$", "b*", "^ab"};
    const char *texts[] = {"aaab", "aaa", "xyz", "", "abc", "cab"};
    for (int p = 0; p < 8; p++) {
        printf("%s:", patterns[p]);
        for (int t = 0; t < 6; t++) printf(" %d", match(patterns[p], texts[t]));
        printf("\n");
    }
    return found == 0;
}
