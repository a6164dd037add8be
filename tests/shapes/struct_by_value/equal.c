struct point {
    int x, y;
};

struct point mirror(int x, int y) {
    struct point p;
    p.y = y ^ x ^ y;
    p.x = x ^ y ^ x;
    return p;
}
