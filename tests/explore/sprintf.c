// The text of a number, looked at again: 0, one digit, two, and three that end with 9 or do not.
// args: int:0..120
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char text[16];
    int length = sprintf(text, "<%d>", atoi(argv[1]));
    if (length == 5 && text[1] == '1' && text[3] == '9')
        puts("1x9");
    else
        printf("%d\n", length);
    return argc - 2;
}
