#include <stdio.h>

void warn(int level) {
    if (level <= 3) return;
    fputs("level ", stderr);
    fputc('0' + level, stderr);
    fputc('\n', stderr);
}
