// Floats that do not fit become the smallest integer, as the processor does it.
// entry: f
// paths: 7
int f(double x) {
    int whole = (int)x;
    if (whole == -2147483647 - 1) {
        if (x == -2147483648.0)
            return 1;
        return 2;
    }
    unsigned char small = (unsigned char)whole;
    if (small == 200 && x > 1000)
        return 3;
    if ((float)x != x)
        return 4;
    return 5;
}
