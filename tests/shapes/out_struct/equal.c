struct range {
    int low, high;
};

void limits(const int *v, int n, struct range *out) {
    struct range r = {0, 0};
    for (int i = n; i-- > 0;) {
        if (i == n - 1 || v[i] < r.low) r.low = v[i];
        if (i == n - 1 || v[i] > r.high) r.high = v[i];
    }
    *out = r;
}
