// Classes of a character.
// args: str:=1
// paths: 5
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int c = (unsigned char)argv[1][0];
    if (isdigit(c))
        puts("digit");
    else if (isupper(c))
        printf("%c\n", tolower(c));
    else if (isspace(c))
        puts("space");
    else if (ispunct(c))
        puts("punctuation");
    else
        puts("other");
    return argc - 2;
}
