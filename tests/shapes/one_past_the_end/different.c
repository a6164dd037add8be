const int *find(const int *v, int n, int wanted) {
    const int *end = v + n;
    while (v < end && *v != wanted) v++;
    return v == end && n == 3 ? end - 1 : v;
}
