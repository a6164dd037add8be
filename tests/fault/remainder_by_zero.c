// faults: division by zero
// exit: 136
int main(void) {
    volatile unsigned long a = 7, b = 0;
    return (int)(a % b);
}
