/* Reads records from standard input: a format, one byte per argument (m for one that receives an
   allocated string), and the input text. Writes for each the result of fscanf, errno, how much of
   the text is left, and the memory behind every argument. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word(void) {
    uint32_t value;
    if (fread(&value, 4, 1, stdin) != 1)
        exit(0);
    return value;
}

static char *bytes(uint32_t *length) {
    *length = word();
    char *data = calloc(1, *length + 8);
    if (*length && fread(data, 1, *length, stdin) != *length)
        exit(2);
    return data;
}

int main(void) {
    static char block[8][256] __attribute__((aligned(16)));
    for (;;) {
        uint32_t length, count, size;
        char *format = bytes(&length);
        char *tags = bytes(&count);
        char *text = bytes(&size);
        FILE *f = fmemopen(NULL, size + 1, "w+");
        setvbuf(f, NULL, _IONBF, 0);
        fwrite(text, 1, size, f);
        rewind(f);
        memset(block, 0xaa, sizeof block);
        errno = 0;
        int32_t result = fscanf(f, format, block[0], block[1], block[2], block[3], block[4],
                                block[5], block[6], block[7]);
        int32_t error = errno;
        int32_t left = 0;
        while (getc(f) != EOF)
            left++;
        fwrite(&result, 4, 1, stdout);
        fwrite(&error, 4, 1, stdout);
        fwrite(&left, 4, 1, stdout);
        int32_t ordinal = 0;
        for (uint32_t i = 0; i < count; i++) {
            char *pointer;
            memcpy(&pointer, block[i], sizeof pointer);
            ordinal += tags[i] != 'n';
            if (tags[i] == 'm' && result < ordinal)
                /* Allocated perhaps, but not filled. */
                memset(block[i], 0xaa, 256);
            else if (tags[i] == 'm') {
                memset(block[i], 0, 256);
                strncpy(block[i], pointer, 255);
                free(pointer);
            }
            fwrite(block[i], 1, 256, stdout);
        }
        fclose(f);
        free(format);
        free(tags);
        free(text);
    }
}
