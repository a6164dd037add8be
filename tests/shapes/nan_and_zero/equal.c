double half(double x) {
    if (!(x == x)) return -x;
    return 0.5 * x;
}
