struct point {
    int x;
    long y;
};

int f(struct point *p)
{
    int a = p->x;
    if (a)
        a += p->y;
    return a;
}
