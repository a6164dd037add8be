// faults: memcpy of 6 bytes between overlapping ranges
// exit: 139
// native: undefined
#include <string.h>

int main(void) {
    char text[] = "overlapping";
    volatile int distance = 3;
    memcpy(text + distance, text, 6);
    return text[0];
}
