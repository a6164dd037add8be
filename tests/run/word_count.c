// Counts lines, words, characters and the most frequent words of files and standard input, like wc.
// args: -lwc a.txt missing.txt - empty.txt
// file a.txt: The quick brown fox
// file a.txt: jumps over the lazy dog.  The end
// file empty.txt: \c
// stdin: from standard input
// stdin: with	tabs and no end\c
// exit: 1
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts { long lines, words, bytes; };
static struct entry { char word[24]; int n; } *table;
static int used, room;

static void add(const char *w) {
    for (int i = 0; i < used; i++)
        if (!strcmp(table[i].word, w)) { table[i].n++; return; }
    if (used == room) table = realloc(table, (size_t)(room = room * 2 + 4) * sizeof *table);
    snprintf(table[used].word, sizeof table->word, "%s", w);
    table[used++].n = 1;
}
static struct counts count(FILE *f) {
    struct counts c = {0};
    char word[24];
    int n = 0, ch, inside = 0;
    while ((ch = getc(f)) != EOF) {
        c.bytes++, c.lines += ch == '\n';
        if (isspace(ch)) inside = 0;
        else if (!inside) inside = 1, c.words++;
        if (isalpha(ch) && n < 23) word[n++] = (char)tolower(ch);
        else if (n) word[n] = 0, add(word), n = 0;
    }
    if (n) word[n] = 0, add(word);
    return c;
}
static int by_count(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : strcmp(x->word, y->word);
}

int main(int argc, char **argv) {
    int option, lines = 0, words = 0, bytes = 0, failed = 0;
    while ((option = getopt(argc, argv, "lwc")) != -1) {
        if (option == 'l') lines = 1;
        else if (option == 'w') words = 1;
        else if (option == 'c') bytes = 1;
        else return 2;
    }
    struct counts total = {0};
    for (int i = optind; i < argc; i++) {
        FILE *f = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;
        if (!f) {
            fprintf(stderr, "%s: %s: %s\n", argv[0], argv[i], strerror(errno));
            failed = 1;
            continue;
        }
        struct counts c = count(f);
        if (f != stdin) fclose(f);
        if (lines) printf("%7ld", c.lines);
        if (words) printf("%7ld", c.words);
        if (bytes) printf("%7ld", c.bytes);
        printf(" %s\n", argv[i]);
        total.lines += c.lines, total.words += c.words, total.bytes += c.bytes;
    }
    printf("%7ld%7ld%7ld total\n", total.lines, total.words, total.bytes);
    qsort(table, (size_t)used, sizeof *table, by_count);
    for (int i = 0; i < used && i < 6; i++) printf("%s %d\n", table[i].word, table[i].n);
    return failed;
}
