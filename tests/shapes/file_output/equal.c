#include <stdio.h>

int save(int n) {
    FILE *out = fopen("numbers.txt", "w");
    if (out == NULL) return -1;
    int i = 0;
    while (i != n) {
        char line[] = {(char)('0' + i), '\n'};
        fwrite(line, 1, sizeof line, out);
        i++;
    }
    return fclose(out) ? EOF : 0;
}
