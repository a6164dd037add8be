/* The checksum of a file. */

#include "tlv.h"

/* The remainder modulo 255. */
static uint32_t fold(uint32_t sum)
{
    while (sum > 255)
        sum = (sum & 255) + (sum >> 8);
    return sum;
}

/* Two sums modulo 255, one of the bytes and one of the sums, so that the order of bytes
 * matters. For MAX_FILE bytes both stay below 2^32. */
uint8_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t low = 0, high = 0;
    while (size-- > 0) {
        low += *bytes++;
        high += low;
    }
    return (uint8_t)(fold(low) ^ fold(high));
}
