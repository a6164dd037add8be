// A character that is given back is read again.
// stdin: bytes:2
// paths: 5
#include <stdio.h>

int main(void) {
    int c = getc(stdin);
    if (c == 'a') {
        int d = getchar();
        ungetc(d == EOF ? 'z' : d, stdin);
        if (getc(stdin) == 'b')
            puts("ab");
        else
            puts("a");
    } else if (c == EOF)
        puts("empty");
    else
        puts("other");
    return 0;
}
