// Reading standard input: getchar, ungetc, fgets, getline, scanf, end of file.
// stdin: first line
// stdin: second, longer than the buffer that is used here
// stdin: 
// stdin: 42 -7 0x1f 3.5e2 word
// stdin: x y
// stdin: line for getline
// stdin: a:b:c
// stdin: tail without end\c
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

int main(void) {
    int c = getchar();
    printf("%c", c);
    ungetc('F', stdin);
    c = getc(stdin);
    printf("%c", c);
    char b[20];
    printf("[%s]", fgets(b, sizeof b, stdin));
    for (int i = 0; i < 4; i++) {
        char *r = fgets(b, sizeof b, stdin);
        printf("[%s]%zu", r, strlen(b));
    }
    printf("\n");
    int i, j, k;
    double d;
    char word[10];
    printf("%d:", scanf("%d %d %i %lf %9s", &i, &j, &k, &d, word));
    printf(" %d %d %d %g %s\n", i, j, k, d, word);
    char one, two;
    printf("%d %c %c\n", scanf(" %c %c", &one, &two), one, two);
    printf("%d\n", getchar());
    char *line = NULL;
    size_t room = 0;
    ssize_t n = getline(&line, &room, stdin);
    printf("%zd %d %s", n, room >= (size_t)n, line);
    n = getdelim(&line, &room, ':', stdin);
    printf("%zd %s\n", n, line);
    n = getline(&line, &room, stdin);
    printf("%zd %s", n, line);
    printf("%d\n", feof(stdin));
    n = getline(&line, &room, stdin);
    printf("%zd %s %d\n", n, line, feof(stdin));
    n = getline(&line, &room, stdin);
    printf("%zd %d %d %d\n", n, getchar(), feof(stdin), fgets(b, sizeof b, stdin) == NULL);
    clearerr(stdin);
    printf("%d %d\n", feof(stdin), ungetc('z', stdin));
    printf("%d %d\n", getchar(), getchar());
    printf("%d\n", scanf("%d", &i));
    free(line);
    return 0;
}
