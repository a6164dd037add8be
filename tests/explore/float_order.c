// Two numbers are less, greater, equal or unordered.
// entry: order
// paths: 4
int order(double x, double y) {
    if (x < y)
        return 1;
    if (x > y)
        return 2;
    if (x == y)
        return 3;
    return 4;
}
