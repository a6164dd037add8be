// Reads CSV with quotes and writes an aligned table and sums per group.
// file sales.csv: region,product,amount,"unit, price"
// file sales.csv: north,"apples, red",10,1.50
// file sales.csv: south,pears,3,2.25
// file sales.csv: north,"""quoted""",1,100
// file sales.csv: east,,0,
// file sales.csv: south,"multi
// file sales.csv: line",2,0.5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 8
typedef char *record[COLUMNS];

static int field(FILE *f, char *out) {
    int c, quoted = 0, n = 0;
    while ((c = getc(f)) != EOF) {
        if (quoted) {
            if (c != '"') out[n++] = (char)c;
            else if ((c = getc(f)) == '"') out[n++] = '"';
            else ungetc(c, f), quoted = 0;
        } else if (c == '"' && n == 0) quoted = 1;
        else if (c == ',' || c == '\n') break;
        else if (c != '\r') out[n++] = (char)c;
    }
    out[n] = 0;
    return c;
}
static int row(FILE *f, record r) {
    int n = 0, end;
    char text[200];
    do {
        end = field(f, text);
        if (end == EOF && n == 0 && !*text) return 0;
        r[n++] = strdup(text);
    } while (end == ',' && n < COLUMNS);
    return n;
}

int main(void) {
    FILE *f = fopen("sales.csv", "r");
    record rows[20];
    int count = 0, columns = 0, width[COLUMNS] = {0}, n;
    while ((n = row(f, rows[count]))) {
        if (n > columns) columns = n;
        for (int i = 0; i < n; i++) {
            for (char *p = rows[count][i]; *p; p++) if (*p == '\n') *p = '/';
            if ((int)strlen(rows[count][i]) > width[i]) width[i] = (int)strlen(rows[count][i]);
        }
        count++;
    }
    fclose(f);
    for (int r = 0; r < count; r++) {
        for (int c = 0; c < columns; c++) printf(c == 2 || c == 3 ? "| %*s " : "| %-*s ", width[c], rows[r][c]);
        printf("|\n");
    }
    struct { const char *name; double total; } groups[10];
    int known = 0;
    for (int r = 1; r < count; r++) {
        int g = 0;
        while (g < known && strcmp(groups[g].name, rows[r][0])) g++;
        if (g == known) groups[known].name = rows[r][0], groups[known++].total = 0;
        groups[g].total += atof(rows[r][2]) * atof(rows[r][3]);
    }
    for (int g = 0; g < known; g++) printf("%s: %.2f\n", groups[g].name, groups[g].total);
    return 0;
}
