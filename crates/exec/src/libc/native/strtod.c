/* For each line of standard input: results of strtod, strtof and strtold. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        char *end;
        unsigned long long bits = 0;
        unsigned int small = 0;
        unsigned short top = 0;
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = 0;
        errno = 0;
        double d = strtod(line, &end);
        memcpy(&bits, &d, 8);
        printf("%016llx %d %d ", bits, (int)(end - line), errno);
        errno = 0;
        float f = strtof(line, &end);
        memcpy(&small, &f, 4);
        printf("%08x %d %d ", small, (int)(end - line), errno);
        errno = 0;
        long double l = strtold(line, &end);
        memcpy(&bits, &l, 8);
        memcpy(&top, (char *)&l + 8, 2);
        printf("%04x%016llx %d %d\n", top, bits, (int)(end - line), errno);
    }
    return 0;
}
