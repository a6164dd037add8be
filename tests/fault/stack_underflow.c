// faults: read of 1 bytes at offset -1, out of bounds of the local variable text of 8 bytes
// exit: 139
// native: undefined
#include <stdio.h>
#include <string.h>

static int trim(char *s) {
    size_t n = strlen(s);
    while (s[n - 1] == ' ') n--;
    return (int)n;
}

int main(void) {
    char text[8] = "";
    printf("%d\n", trim(text));
    return 0;
}
