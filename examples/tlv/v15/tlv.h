/* Files of tagged values.
 *
 * A file begins with the letters TV, the version 1 and a byte of flags. Elements follow:
 * a tag, a length and that many bytes. A length below 128 is one byte; otherwise
 * the low seven bits of that byte say how many bytes follow, the first of which holds
 * the most significant bits and is not zero. If the flag CHECKED is set, the last byte of
 * the file is a checksum of all others. */

#ifndef TLV_H
#define TLV_H

#include <stddef.h>
#include <stdint.h>

enum { MAX_FILE = 4096, MAX_DEPTH = 4 };

enum flag { CHECKED = 1 };

enum tag {
    TAG_NAME = 0x01,    /* printable characters */
    TAG_INTEGER = 0x02, /* two's complement, most significant byte first, up to 8 bytes */
    TAG_POINT = 0x03,   /* two coordinates of two bytes */
    TAG_GROUP = 0x10,   /* elements */
};

/* The part of a file that is still to be read, and the first problem or NULL. */
struct reader {
    const uint8_t *at, *end;
    const char *problem;
};

struct element {
    uint8_t tag;
    uint32_t length;
    const uint8_t *value;
};

/* Reads the next element. Returns 0 at the end and after a problem. */
int next_element(struct reader *reader, struct element *element);

uint64_t unsigned_value(const uint8_t *bytes, size_t count);
int64_t signed_value(const uint8_t *bytes, size_t count);

/* Prints all elements. Returns the first problem or NULL. */
const char *show_elements(struct reader reader, int depth);

#endif
