/* Lines from streams, byte by byte. */

int ferror(FILE *stream);

/* Reads up to a line feed, at most `limit` bytes. Returns how many there are,
 * or -1 if there are none or reading failed. */
static long read_line(char *to, long limit, FILE *stream) {
    int had_failed = ferror(stream);
    long length = 0;
    while (length < limit) {
        int byte = fgetc(stream);
        if (byte == EOF) {
            if (length == 0 || (!had_failed && ferror(stream)))
                return -1;
            break;
        }
        to[length++] = (char)byte;
        if (byte == '\n')
            break;
    }
    return length;
}

char *fgets(char *to, int size, FILE *stream) {
    if (size <= 0)
        return NULL;
    long length = read_line(to, size - 1, stream);
    if (length < 0)
        return NULL;
    to[length] = 0;
    return to;
}

char *fgets_unlocked(char *to, int size, FILE *stream) { return fgets(to, size, stream); }

char *__fgets_chk(char *to, size_t room, int size, FILE *stream) {
    if (size > 0 && (size_t)size > room)
        __chk_fail();
    return fgets(to, size, stream);
}

char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream) {
    return __fgets_chk(to, room, size, stream);
}

char *gets(char *to) {
    long length = read_line(to, LONG_MAX, stdin);
    if (length < 0)
        return NULL;
    if (to[length - 1] == '\n')
        length--;
    to[length] = 0;
    return to;
}
