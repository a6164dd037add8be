// Output functions: puts, fputs, putc, fwrite, fprintf to both streams, buffering modes, return values.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int log_to(FILE *f, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    int n = vfprintf(f, format, ap);
    va_end(ap);
    return n;
}

int main(void) {
    printf("%d\n", puts("line") >= 0);
    fputs("no newline", stdout);
    putchar('\n');
    for (char c = 'a'; c < 'g'; c++) putc(c, stdout);
    fputc('\n', stdout);
    size_t n = fwrite("abcdef", 2, 3, stdout);
    printf(" %zu\n", n);
    fprintf(stderr, "error %d\n", 1);
    printf("%d\n", log_to(stdout, "%s-%d\n", "logged", 5));
    putchar_unlocked('u'), putc_unlocked('\n', stdout), fputs_unlocked("unlocked\n", stdout);
    fflush(stdout);
    write(1, "between\n", 8);
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("unbuffered ");
    write(1, "directly\n", 9);
    static char buffer[64];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("held ");
    write(1, "overtakes\n", 10);
    printf("back\n");
    fflush(NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("line\n");
    write(1, "after line\n", 11);
    dprintf(1, "%s %d\n", "dprintf", 3);
    char text[20];
    printf("%d ", sprintf(text, "%05.1f|%s", 3.14159, "x"));
    printf("%s %d %d\n", text, fileno(stdout), fileno(stderr));
    char *made;
    printf("%d ", asprintf(&made, "%d %s", 12, "made"));
    printf("%s\n", made);
    printf("%d %d\n", ferror(stdout), feof(stdout));
    printf("%d\n", fputc('x', stdin) == EOF && ferror(stdin));
    perror("perror");
    for (int i = 0; i < 3000; i++) printf("%d ", i);
    printf("\n");
    return 0;
}
