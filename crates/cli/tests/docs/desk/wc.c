#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    int lines = 0;
    if (!file)
        return 1;
    for (int c = getc(file); c != EOF; c = getc(file))
        lines += c == '\n';
    if (strcmp(argv[1], "-l") == 0)
        printf("%d\n", lines);
    fclose(file);
    return 0;
}
