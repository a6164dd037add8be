// faults: at 0xdeadbeef0, where there is nothing
// exit: 139
int main(void) {
    volatile unsigned long address = 0xdeadbeef0;
    return *(int *)address;
}
