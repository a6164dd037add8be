// sort: lines of files and standard input, numeric, reverse, unique, by field, stable.
// args: -n -k 2 numbers.txt
// file numbers.txt: b 10
// file numbers.txt: a 9
// file numbers.txt: c -3
// file numbers.txt: d 10
// file numbers.txt: a 2.5
// file numbers.txt: zz
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line { char *text; size_t index; };
static int numeric, reverse, unique, key;

static const char *field(const char *s) {
    for (int k = 1; k < key; k++) {
        s += strcspn(s, " ");
        s += strspn(s, " ");
    }
    return s;
}
static int order(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    const char *p = field(x->text), *q = field(y->text);
    int r = 0;
    if (numeric) {
        double d = atof(p), e = atof(q);
        r = (d > e) - (d < e);
    } else r = strcmp(p, q);
    if (reverse) r = -r;
    return r ? r : (x->index > y->index) - (x->index < y->index);
}

int main(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "nruk:")) != -1) {
        switch (c) {
        case 'n': numeric = 1; break;
        case 'r': reverse = 1; break;
        case 'u': unique = 1; break;
        case 'k': key = atoi(optarg); break;
        default: return 2;
        }
    }
    struct line *lines = NULL;
    size_t n = 0, room = 0, size = 0;
    char *text = NULL;
    for (int i = optind; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (!f) return perror(argv[i]), 2;
        ssize_t length;
        while ((length = getline(&text, &size, f)) != -1) {
            if (length && text[length - 1] == '\n') text[length - 1] = 0;
            if (n == room) lines = realloc(lines, (room = room * 2 + 2) * sizeof *lines);
            lines[n] = (struct line){strdup(text), n};
            n++;
        }
        fclose(f);
    }
    qsort(lines, n, sizeof *lines, order);
    for (size_t i = 0; i < n; i++)
        if (!unique || !i || strcmp(lines[i].text, lines[i - 1].text)) puts(lines[i].text);
    for (size_t i = 0; i < n; i++) free(lines[i].text);
    free(lines), free(text);
    return 0;
}
