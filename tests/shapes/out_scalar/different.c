int divide(unsigned a, unsigned char b, unsigned *rest) {
    if (!b) {
        *rest = 0;
        return -1;
    }
    *rest = a % b;
    return 0;
}
