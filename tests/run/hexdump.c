// A hex dump of binary input, and its reverse.
// stdin: binary \x00\x01\x02\xff\xfe text
// stdin: second line \x7f\x80\x0b\c
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char row[16], all[256], back[256];
    size_t n, total = 0, m = 0;
    FILE *dump = tmpfile();
    while ((n = fread(row, 1, sizeof row, stdin)) > 0) {
        memcpy(all + total, row, n);
        fprintf(dump, "%08zx ", total);
        for (size_t i = 0; i < 16; i++) {
            if (i < n) fprintf(dump, "%s%02x", i % 8 ? " " : "  ", row[i]);
            else fprintf(dump, "   ");
        }
        fprintf(dump, "  |");
        for (size_t i = 0; i < n; i++) fputc(isprint(row[i]) ? row[i] : '.', dump);
        fprintf(dump, "|\n");
        total += n;
    }
    rewind(dump);
    char line[100];
    while (fgets(line, sizeof line, dump)) {
        fputs(line, stdout);
        unsigned offset, byte;
        int used, at;
        sscanf(line, "%x%n", &offset, &at);
        while (line[at] && line[at] != '|' && sscanf(line + at, " %2x%n", &byte, &used) == 1) back[m++] = (unsigned char)byte, at += used;
    }
    printf("%zu %zu %d\n", total, m, memcmp(all, back, total));
    return 0;
}
