/* The place of a byte in memory. */

void *memchr(const void *bytes, int byte, size_t count) {
    const unsigned char *at = bytes;
    for (; count > 0; count--, at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return NULL;
}

void *memrchr(const void *bytes, int byte, size_t count) {
    const unsigned char *start = bytes;
    while (count > 0)
        if (start[--count] == (unsigned char)byte)
            return (void *)(start + count);
    return NULL;
}

void *rawmemchr(const void *bytes, int byte) {
    const unsigned char *at = bytes;
    while (*at != (unsigned char)byte)
        at++;
    return (void *)at;
}

void *__rawmemchr(const void *bytes, int byte) { return rawmemchr(bytes, byte); }

void *__memrchr(const void *bytes, int byte, size_t count) { return memrchr(bytes, byte, count); }
