/* The parser of number ranges of `cut` (Böhme 2014, Fig. 4.5). */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *fs = argc > 1 ? argv[1] : "";
    int v = 0, c = 0, init = 1;
    int lhs = 0;
    while (1) {
        if (isdigit((unsigned char)*fs)) {
            v = *fs - '0';
            lhs = 1;
        } else if (*fs == '-') {
            c = lhs;
            init = c ? v : 1;
        } else if (*fs == '\0') {
            assert(init != 0);
            break;
        }
        fs++;
    }
    printf("from %d\n", init);
    return 0;
}
