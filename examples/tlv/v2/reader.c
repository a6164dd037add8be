/* Takes elements apart. */

#include "tlv.h"

static int fail(struct reader *reader, const char *problem)
{
    if (!reader->problem)
        reader->problem = problem;
    return 0;
}

static int read_byte(struct reader *reader, uint8_t *byte)
{
    if (reader->at == reader->end)
        return fail(reader, "truncated");
    *byte = *reader->at++;
    return 1;
}

static int read_length(struct reader *reader, struct element *element)
{
    uint8_t first, more;
    if (!read_byte(reader, &first))
        return 0;
    element->length = first;
    if (first < 0x80)
        return 1;

    int count = first & 0x7f;
    if (count == 0)
        return fail(reader, "bad length");
    if (!read_byte(reader, &more))
        return 0;
    if (more == 0)
        return fail(reader, "bad length");
    if (count > 2)
        return fail(reader, "truncated"); /* no file is that long */
    element->length = more;
    if (count == 2) {
        if (!read_byte(reader, &more))
            return 0;
        element->length = element->length << 8 | more;
    }
    return 1;
}

int next_element(struct reader *reader, struct element *element)
{
    if (reader->problem || reader->at == reader->end)
        return 0;
    if (!read_byte(reader, &element->tag) || !read_length(reader, element))
        return 0;
    if (element->length > reader->end - reader->at)
        return fail(reader, "truncated");
    element->value = reader->at;
    reader->at += element->length;
    return 1;
}

uint64_t unsigned_value(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

int64_t signed_value(const uint8_t *bytes, size_t count)
{
    uint64_t value = unsigned_value(bytes, count);
    if (bytes[0] & 0x80)
        for (size_t i = count; i < 8; i++)
            value |= (uint64_t)0xff << 8 * i;
    return (int64_t)value;
}
