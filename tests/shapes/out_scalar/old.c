// entry: divide
int divide(unsigned a, unsigned char b, unsigned *rest) {
    if (!b) return -1;
    *rest = a % b;
    return 0;
}
