// faults: stack overflow
// exit: 139
static int deeper(int n) {
    volatile char frame[1000];
    frame[n % 1000] = (char)n;
    return deeper(n + 1) + frame[0];
}

int main(void) { return deeper(0); }
