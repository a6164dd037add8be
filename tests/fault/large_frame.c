// faults: stack overflow
// exit: 139
#include <string.h>

static int fill(void) {
    char frame[16 << 20];
    memset(frame, 1, sizeof frame);
    return frame[12345];
}

int main(void) { return fill(); }
