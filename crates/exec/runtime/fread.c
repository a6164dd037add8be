/* Blocks of bytes from streams, byte by byte. */

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    size_t total = size * count;
    char *at = to;
    for (size_t got = 0; got < total; got++) {
        int byte = fgetc(stream);
        if (byte == EOF)
            return got / size;
        at[got] = (char)byte;
    }
    return total == 0 ? 0 : count;
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *stream) {
    return fread(to, size, count, stream);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream) {
    if (size * count > room)
        __chk_fail();
    return fread(to, size, count, stream);
}

size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *stream) {
    return __fread_chk(to, room, size, count, stream);
}

int getw(FILE *stream) {
    int word;
    return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
