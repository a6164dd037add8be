// A function is passed in.
// entry: apply
// param f: =twice
// paths: 3
static int twice(int x) {
    if (x > 100)
        return 100;
    return 2 * x;
}

int (*keep)(int) = twice;

int apply(int (*f)(int), int x) {
    int y = f(x);
    if (y == 42)
        return 1;
    return 0;
}
