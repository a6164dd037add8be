/* Reads records from standard input: a format and its arguments. Writes for each the result of
   vsnprintf, errno, the bytes produced and the value stored through a %n pointer. Arguments are
   passed through a va_list whose register area counts as used up, so they may have any types. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    unsigned int gp_offset, fp_offset;
    void *overflow, *save;
};

static uint32_t word(void) {
    uint32_t value;
    if (fread(&value, 4, 1, stdin) != 1)
        exit(0);
    return value;
}

static char *bytes(uint32_t length) {
    char *data = calloc(1, length + 8);
    if (length && fread(data, 1, length, stdin) != length)
        exit(2);
    return data;
}

int main(void) {
    static char output[1 << 20];
    for (;;) {
        char *format = bytes(word());
        uint32_t count = word();
        uint64_t *area = aligned_alloc(16, 16 * (2 * count + 2));
        uint64_t counter = 0x1122334455667788;
        uint32_t used = 0;
        for (uint32_t i = 0; i < count; i++) {
            char *tag = bytes(1);
            uint32_t length = word();
            char *data = bytes(length);
            if (*tag == 'L') {
                used += used & 1;
                memcpy(&area[used], data, 10);
                used += 2;
            } else if (*tag == 's' || *tag == 'w')
                area[used++] = (uint64_t)(uintptr_t)data;
            else if (*tag == 'n')
                area[used++] = (uint64_t)(uintptr_t)&counter;
            else
                memcpy(&area[used++], data, 8);
        }
        va_list arguments;
        struct list raw = {48, 304, area, 0};
        memcpy(&arguments, &raw, sizeof raw);
        errno = 0;
        memset(output, 0x55, 64);
        int result = vsnprintf(output, sizeof output, format, arguments);
        int error = result < 0 ? errno : 0;
        uint32_t length = result < 0 ? 0 : (uint32_t)result;
        fwrite(&result, 4, 1, stdout);
        fwrite(&error, 4, 1, stdout);
        fwrite(&counter, 8, 1, stdout);
        fwrite(output, 1, length, stdout);
    }
}
