// A quotient that does not fit, by inline assembly.
// faults: division
// exit: 136
int main(void) {
    unsigned quotient, rest;
    __asm__("divl %4" : "=a"(quotient), "=d"(rest) : "0"(0), "1"(5), "r"(5));
    return (int)(quotient + rest);
}
