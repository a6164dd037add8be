/* Shows the contents of a file of tagged values.
 *
 *   tlv FILE */

#include "tlv.h"

#include <stdio.h>

/* Two running sums modulo 255, one of the bytes and one of the sums, so that the order
 * of bytes matters. */
static uint8_t checksum(const uint8_t *bytes, size_t size)
{
    unsigned low = 0, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % 255;
        high = (high + low) % 255;
    }
    return (uint8_t)(low ^ high);
}

static const char *show_file(const uint8_t *bytes, size_t size)
{
    if (size < 4 || bytes[0] != 'T' || bytes[1] != 'V' || bytes[2] != 1)
        return "not a file of tagged values";
    uint8_t flags = bytes[3];
    if (flags & ~CHECKED)
        return "unknown flags";
    if (flags & CHECKED) {
        if (size == 4)
            return "truncated";
        size--;
        if (checksum(bytes, size) != bytes[size])
            return "bad checksum";
    }
    struct reader reader = {bytes + 4, bytes + size, NULL};
    return show_elements(reader, 0);
}

int main(int argc, char **argv)
{
    static uint8_t bytes[MAX_FILE + 1];

    if (argc != 2) {
        fputs("usage: tlv FILE\n", stderr);
        return 2;
    }
    FILE *in = fopen(argv[1], "rb");
    if (!in) {
        perror(argv[1]);
        return 2;
    }
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);

    const char *problem = size > MAX_FILE ? "too long" : show_file(bytes, size);
    if (problem) {
        fflush(stdout);
        fprintf(stderr, "tlv: %s\n", problem);
        return 1;
    }
    return 0;
}
