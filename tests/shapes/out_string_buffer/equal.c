void hex(unsigned char b, char *out) {
    static const char digits[] = "0123456789abcdef";
    out[2] = 0;
    out[1] = digits[b & 15];
    out[0] = digits[b >> 4];
}
