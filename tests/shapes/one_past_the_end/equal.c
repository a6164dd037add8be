const int *find(const int *v, int n, int wanted) {
    int i;
    for (i = 0; i < n; i++)
        if (v[i] == wanted) break;
    return &v[i];
}
