int figure(int i, int j) {
    int a = i;
    int b = 0;
    int o = 0;
    if (a > 0) {
        b = j;
        o = 1;
    }
    if (b > 0)
        o = 2;
    return o;
}
