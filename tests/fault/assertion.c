// faults: assertion failed: tests/fault/assertion.c:7: int half(int): Assertion `x % 2 == 0 && "even"' failed.
// exit: 134
#include <assert.h>
#include <stdio.h>

static int half(int x) {
    assert(x % 2 == 0 && "even");
    return x / 2;
}

int main(void) {
    printf("%d\n", half(4));
    fflush(stdout);
    printf("%d\n", half(7));
    return 0;
}
