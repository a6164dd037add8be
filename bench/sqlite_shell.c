#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sqlite3.h"

static int print_row(void *unused, int n, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    printf("\n");
    return 0;
}

/* Reads all of standard input. */
static char *text_of(FILE *from) {
    size_t length = 0, room = 4096;
    char *text = malloc(room);
    for (int c; text && (c = getc(from)) != EOF;) {
        if (length + 1 == room)
            text = realloc(text, room *= 2);
        text[length++] = (char)c;
    }
    if (text)
        text[length] = 0;
    return text;
}

int main(void) {
    sqlite3 *db;
    char *error = NULL, *sql = text_of(stdin);
    if (!sql || sqlite3_open(":memory:", &db) != SQLITE_OK)
        return 2;
    int code = sqlite3_exec(db, sql, print_row, NULL, &error);
    if (code != SQLITE_OK)
        printf("error %d: %s\n", code, error);
    sqlite3_free(error);
    sqlite3_close(db);
    free(sql);
    return code != SQLITE_OK;
}
