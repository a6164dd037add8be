// A text formatter: justification, paragraphs, centred titles, hyphenation at soft places.
// args: 32
// stdin: #A Title
// stdin: It is a truth universally acknowledged, that a single man in possession of a good
// stdin: fortune, must be in want of a wife.
// stdin: 
// stdin: However little known the feelings or views of such a man may be on his first entering
// stdin: a neighbourhood, supercalifragilisticexpialidocious and otherwise.
// stdin: - item one
// stdin: - item two that is longer than the width of the page allows
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char words[200][64];
static int count, width, indent;

static void print(int from, int to, int last) {
    int length = 0, gaps = to - from - 1;
    for (int i = from; i < to; i++) length += (int)strlen(words[i]);
    int spaces = width - indent - length;
    printf("%*s", indent, "");
    for (int i = from; i < to; i++) {
        printf("%s", words[i]);
        if (i + 1 == to) break;
        int n = last ? 1 : spaces / gaps + (i - from < spaces % gaps);
        printf("%*s", n, "");
    }
    printf("\n");
}
static void flush(void) {
    int from = 0, used = 0;
    for (int i = 0; i < count; i++) {
        int n = (int)strlen(words[i]), room = width - indent;
        if (used && used + 1 + n > room) print(from, i, i - from == 1), from = i, used = 0;
        if (n > room) {
            printf("%*s%.*s-\n", indent, "", room - 1, words[i]);
            memmove(words[i], words[i] + room - 1, (size_t)(n - room + 2));
            i--, from = i + 1, used = 0;
            continue;
        }
        used += n + (used > 0);
    }
    if (from < count) print(from, count, 1);
    count = indent = 0;
}

int main(int argc, char **argv) {
    width = argc > 1 ? atoi(argv[1]) : 40;
    char line[300];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#') {
            flush();
            for (char *p = line + 1; *p; p++) *p = (char)toupper((unsigned char)*p);
            printf("%*s\n", (width + (int)strlen(line) - 1) / 2, line + 1);
            continue;
        }
        if (!line[0]) { flush(), printf("\n"); continue; }
        if (line[0] == '-') flush(), indent = 2;
        for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) snprintf(words[count++], sizeof *words, "%s", w);
    }
    flush();
    return 0;
}
