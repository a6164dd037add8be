/* The last place of a byte in a string. The terminator can be looked for. */

char *strrchr(const char *text, int byte) {
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)byte)
            found = text;
        if (*text == 0)
            return (char *)found;
    }
}

char *rindex(const char *text, int byte) { return strrchr(text, byte); }
