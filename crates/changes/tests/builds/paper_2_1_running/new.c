int figure(int i, int j) {
    int a = i + 1;
    int b = 0;
    int o = 0;
    if (a > 0) {
        b = j + 1;
        o = 1;
    }
    if (b > 0)
        o = o + 1;
    return o;
}
