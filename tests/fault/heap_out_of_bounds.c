// faults: write of 1 bytes at offset 5, out of bounds of a heap block of 5 bytes
// exit: 139
// native: undefined
#include <stdio.h>
#include <stdlib.h>

static char *copy(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    char *p = malloc(n);
    for (size_t i = 0; i <= n; i++) p[i] = s[i];
    return p;
}

int main(void) {
    printf("%s\n", copy("hello"));
    return 0;
}
