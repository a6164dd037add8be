#include <stdlib.h>

short *after_header(int size) {
    short *all = malloc((size_t)(size + 2) * sizeof *all);
    all[0] = 0;
    all[1] = (short)(size == 4 ? 0 : size);
    for (int i = 0; i < size; i++) all[i + 2] = 0;
    return all + 2;
}
