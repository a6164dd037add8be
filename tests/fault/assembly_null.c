// Inline assembly reads through a null pointer.
// faults: null
// exit: 139
int main(void) {
    volatile int *p = 0;
    int x;
    __asm__("movl 4(%1), %0" : "=r"(x) : "r"(p));
    return x;
}
