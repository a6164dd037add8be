int divide(unsigned a, unsigned char b, unsigned *rest) {
    int code = -1;
    if (b > 0) {
        unsigned r = a % b;
        *rest = r;
        code++;
    }
    return code;
}
