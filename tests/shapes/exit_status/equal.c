#include <stdlib.h>

static void fail(void) { exit(1 + 2); }

void require(int condition) {
    if (condition) return;
    fail();
}
