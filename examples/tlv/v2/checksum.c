/* The checksum of a file. */

#include "tlv.h"

/* Two sums modulo 255, one of the bytes and one of the sums, so that the order of bytes
 * matters. For MAX_FILE bytes both stay below 2^32. */
uint8_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t low = 0, high = 0;
    while (size-- > 0) {
        low += *bytes++;
        high += low;
    }
    return (uint8_t)(low % 255 ^ high % 255);
}
