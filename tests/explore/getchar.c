// Lines and others among up to three characters: for each one an end, a newline or another.
// stdin: text:3
// paths: 15
#include <stdio.h>

int main(void) {
    int c, lines = 0, others = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            lines++;
        else
            others++;
    }
    printf("%d %d\n", lines, others);
    return 0;
}
