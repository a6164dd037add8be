// entry: half
double half(double x) {
    if (x != x) return x;
    return x / 2;
}
