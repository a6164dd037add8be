// entry: skip
// flags: --param s=text:4
const char *skip(const char *s) {
    while (*s == ' ') s++;
    return s;
}
