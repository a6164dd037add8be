// An undefined instruction, by inline assembly.
// faults: trap
// exit: 132
#include <stdio.h>

int main(void) {
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("ud2");
    return 0;
}
