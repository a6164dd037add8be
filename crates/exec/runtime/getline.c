/* Lines of any length, in a block that grows. */

int ferror(FILE *stream);

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream) {
    if (line == NULL || size == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (ferror(stream))
        return -1;
    if (*line == NULL || *size == 0) {
        *line = malloc(120);
        if (*line == NULL)
            return -1;
        *size = 120;
    }
    size_t length = 0;
    size_t room = *size;
    for (;;) {
        int byte = fgetc(stream);
        if (byte == EOF) {
            if (length == 0)
                return -1;
            break;
        }
        if (length + 1 >= room) {
            char *grown = realloc(*line, 2 * room);
            if (grown == NULL)
                return -1;
            *line = grown;
            room *= 2;
        }
        (*line)[length++] = (char)byte;
        if (byte == (unsigned char)delimiter)
            break;
    }
    (*line)[length] = 0;
    if (room != *size) {
        /* The native library looks at a whole line at once: it takes twice the
         * size, or as much as the line needs. */
        size_t wanted = length + 1 > 2 * *size ? length + 1 : 2 * *size;
        if (wanted != room) {
            char *fitting = realloc(*line, wanted);
            if (fitting == NULL)
                return -1;
            *line = fitting;
        }
        *size = wanted;
    }
    return (ssize_t)length;
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream) {
    return getdelim(line, size, delimiter, stream);
}

ssize_t getline(char **line, size_t *size, FILE *stream) {
    return getdelim(line, size, '\n', stream);
}
