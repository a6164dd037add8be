// faults: of a freed heap block of 8 bytes
// exit: 139
// native: undefined
#include <stdlib.h>

int main(void) {
    int *a = malloc(8), *kept = a;
    a[0] = 1;
    a = realloc(a, 1 << 20);
    return kept[0] + a[0];
}
