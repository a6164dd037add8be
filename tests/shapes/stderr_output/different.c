#include <stdio.h>

void warn(int level) {
    if (level > 3) fprintf(level == 9 ? stdout : stderr, "level %d\n", level);
}
