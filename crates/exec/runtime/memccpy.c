/* Copies of memory with a result of their own, and the old BSD names. */

void *memccpy(void *to, const void *from, int stop, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; count > 0; count--)
        if ((*out++ = *in++) == (unsigned char)stop)
            return out;
    return NULL;
}

void *mempcpy(void *to, const void *from, size_t count) {
    return (char *)memcpy(to, from, count) + count;
}

void *__mempcpy(void *to, const void *from, size_t count) { return mempcpy(to, from, count); }

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return mempcpy(to, from, count);
}

void bcopy(const void *from, void *to, size_t count) { memmove(to, from, count); }

void bzero(void *to, size_t count) { memset(to, 0, count); }

void __bzero(void *to, size_t count) { memset(to, 0, count); }

void explicit_bzero(void *to, size_t count) { memset(to, 0, count); }

void __explicit_bzero_chk(void *to, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    memset(to, 0, count);
}

void swab(const void *from, void *to, ssize_t count) {
    const char *in = from;
    char *out = to;
    for (; count > 1; count -= 2, in += 2, out += 2) {
        char first = in[0];
        out[0] = in[1];
        out[1] = first;
    }
}
