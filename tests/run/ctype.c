// Every classification and conversion of ctype.h, for every character.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = -1; c < 256; c++) {
        int bits = !!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 |
                   !!isgraph(c) << 5 | !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 |
                   !!isupper(c) << 10 | !!isxdigit(c) << 11;
        printf("%d:%03x:%d:%d%c", c, bits, tolower(c), toupper(c), c % 8 == 7 ? '\n' : ' ');
    }
    printf("%d %d %c %c\n", isascii(127) != 0, isascii(128) != 0, toascii('a' | 128), _toupper('b'));
    return 0;
}
