// entry: require
#include <stdlib.h>

void require(int condition) {
    if (!condition) exit(3);
}
