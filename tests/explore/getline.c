// Up to two lines; each is empty or has a character below, among or above the digits.
// stdin: lines:2x1
// paths: 21
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    int digits = 0, lines = 0;
    while (getline(&line, &room, stdin) > 0) {
        lines++;
        if (line[0] >= '0' && line[0] <= '9')
            digits++;
    }
    free(line);
    printf("%d of %d\n", digits, lines);
    return 0;
}
