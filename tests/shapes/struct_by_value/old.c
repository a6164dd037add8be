// entry: mirror
struct point {
    int x, y;
};

struct point mirror(int x, int y) {
    struct point p = {y, x};
    return p;
}
