#include <stdio.h>

int save(int n) {
    FILE *out = fopen("numbers.txt", "w");
    if (!out) return -1;
    for (int i = 0; i < n; i++) fprintf(out, i == 4 ? "%d" : "%d\n", i);
    return fclose(out);
}
