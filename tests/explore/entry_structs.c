// Structs as parameters: by value in one and in two registers, in memory, and by pointer.
// entry: inside
// paths: 6
struct point { int x, y; };
struct box { struct point low, high; };
struct large { long values[4]; char tag; };

int inside(struct point p, struct box b, struct large l, const struct box *other) {
    if (p.x < b.low.x || p.x > b.high.x)
        return 0;
    if (l.values[3] == l.tag)
        return 1;
    if (other->high.y - other->low.y == p.y)
        return 2;
    if (other->low.x)
        return 3;
    return 4;
}
