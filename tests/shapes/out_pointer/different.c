int find(char *s, char c, char **where) {
    int found = 0;
    for (; *s; s++)
        if (*s == c) {
            *where = s;
            found = 1;
        }
    return found;
}
