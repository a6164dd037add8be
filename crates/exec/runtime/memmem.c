/* The place of a piece of memory within another. */

void *memmem(const void *bytes, size_t count, const void *word, size_t length) {
    const unsigned char *text = bytes;
    const unsigned char *piece = word;
    for (; count >= length; count--, text++) {
        size_t at = 0;
        while (at < length && text[at] == piece[at])
            at++;
        if (at == length)
            return (void *)text;
    }
    return NULL;
}
