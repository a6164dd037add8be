// Values that only exact rounding finds: 3, and a number that a sum swallows.
// entry: f
// paths: 5
int f(float x, float y) {
    if (x * 2.0f + 1.0f == 7.0f)
        return 1;
    if (x > 1.0f && x + y == x) {
        if (y > 0.25f)
            return 2;
        return 3;
    }
    return 4;
}
