// A line of 0 to 2 characters and its newline, one of 1 to 3 without, or nothing.
// stdin: text:3
// paths: 7
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    if (!fgets(line, sizeof line, stdin)) {
        puts("nothing");
        return 1;
    }
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[--length] = 0;
    printf("%zu %s\n", length, line);
    return 0;
}
