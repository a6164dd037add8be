// Makes system calls under the numbers of other architectures.
// ends: signal 31 or signal 11
#include "attack.h"
int main(void) {
    ATTACK(syscall(0x40000000 + 41 /* socket of x32 */, 2, 1, 0));
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid of i386 */));
    printf("ESCAPED %ld\n", result);
    return 0;
}
