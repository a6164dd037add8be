// faults: division of the smallest integer by -1
// exit: 136
#include <limits.h>

int main(void) {
    volatile int a = INT_MIN, b = -1;
    return a / b;
}
