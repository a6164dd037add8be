/* The first place of a byte in a string. The terminator can be looked for. */

char *strchrnul(const char *text, int byte) {
    while (*text != (char)byte && *text != 0)
        text++;
    return (char *)text;
}

char *strchr(const char *text, int byte) {
    while (*text != (char)byte) {
        if (*text == 0)
            return NULL;
        text++;
    }
    return (char *)text;
}

char *index(const char *text, int byte) { return strchr(text, byte); }

char *__strchrnul(const char *text, int byte) { return strchrnul(text, byte); }
