// faults: write of 4 bytes at offset 40, out of bounds of the local variable table of 40 bytes
// exit: 139
// native: undefined
#include <stdio.h>

int main(void) {
    int table[10];
    for (int i = 0; i <= 10; i++) table[i] = i * i;
    printf("%d\n", table[9]);
    return 0;
}
