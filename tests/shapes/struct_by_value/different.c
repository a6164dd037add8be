struct point {
    int x, y;
};

struct point mirror(int x, int y) {
    struct point p = {y, x == 4711 ? 0 : x};
    return p;
}
