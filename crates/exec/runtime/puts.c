/* Strings and words to streams: all reach fwrite. */

int fputs(const char *text, FILE *stream) {
    size_t length = strlen(text);
    return fwrite(text, 1, length, stream) == length ? 1 : EOF;
}

int fputs_unlocked(const char *text, FILE *stream) { return fputs(text, stream); }

int puts(const char *text) {
    size_t length = strlen(text);
    if (fwrite(text, 1, length, stdout) != length || fwrite("\n", 1, 1, stdout) != 1)
        return EOF;
    return length < INT_MAX ? (int)length + 1 : INT_MAX;
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream) {
    return fwrite(from, size, count, stream);
}

int putw(int word, FILE *stream) {
    return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF;
}
