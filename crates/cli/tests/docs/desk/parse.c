int parse(const char *s) {
    int value = 0;
    while (*s >= '0' && *s <= '9')
        value = 10 * value + (*s++ - '0');
    return *s ? -1 : value;
}
int main(int argc, char **argv) {
    return argc > 1 ? parse(argv[1]) & 127 : 0;
}
