// entry: find
// flags: --param s=str:3 --param where=buf:1 --param where[]=null
int find(char *s, char c, char **where) {
    for (; *s; s++)
        if (*s == c) {
            *where = s;
            return 1;
        }
    return 0;
}
