// entry: warn
// flags: --param level=int:0..9
#include <stdio.h>

void warn(int level) {
    if (level > 3) fprintf(stderr, "level %d\n", level);
}
