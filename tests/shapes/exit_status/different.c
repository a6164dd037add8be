#include <stdlib.h>

void require(int condition) {
    if (!condition) exit(3);
    if (condition == -4096) exit(0);
}
