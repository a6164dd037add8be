double half(double x) {
    if (x == 0) return 0;
    return x / 2;
}
