// Makes system calls through a queue, which a filter does not see.
#include "attack.h"
int main(void) {
    char parameters[256] = {0};
    ATTACK(syscall(425 /* io_uring_setup */, 4, parameters));
    ATTACK(syscall(426 /* io_uring_enter */, 0, 0, 0, 0, 0));
    ATTACK(syscall(427 /* io_uring_register */, 0, 0, 0, 0));
    return 0;
}
