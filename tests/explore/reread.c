// What is read twice is the same: the two readings cannot differ.
// stdin: bytes:=2
// file data: bytes:=2
// paths: 4
#include <stdio.h>

int main(void) {
    FILE *file = fopen("data", "rb");
    if (!file)
        return 1;
    int first = getc(file);
    rewind(file);
    int again = getc(file), second = getc(file);
    if (first != again)
        puts("impossible");
    fseek(file, -1, SEEK_CUR);
    if (getc(file) != second)
        puts("impossible, too");
    if (first == 'x')
        puts("x");
    if (second == getchar())
        puts("same");
    return 0;
}
