// The size of a file decides by itself: one path for each.
// file data: bytes:3
// paths: 5
#include <stdio.h>

int main(void) {
    FILE *file = fopen("data", "rb");
    if (!file)
        return 1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size == 2 && getc(file) == 'P')
        puts("P");
    printf("%ld\n", size);
    fclose(file);
    return 0;
}
