// A file of configuration, read by lines: which characters are newlines, which lines begin with
// a mark, and where they differ from the line that is looked for.
// file conf: text:4
// paths: 139
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16];
    FILE *file = fopen("conf", "r");
    if (!file)
        return 1;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        if (strcmp(line, "x=1\n") == 0) {
            puts("x");
            fclose(file);
            return 0;
        }
    }
    fclose(file);
    puts("default");
    return 0;
}
