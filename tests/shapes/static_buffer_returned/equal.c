const char *name(int n) {
    static char text[8];
    char *end = text;
    *end++ = 'n';
    if (n > 9) *end++ = (char)('0' + n / 10);
    *end++ = (char)('0' + n % 10);
    *end = 0;
    return text;
}
