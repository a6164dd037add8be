struct range {
    int low, high;
};

void limits(const int *v, int n, struct range *out) {
    out->low = out->high = n ? v[0] : 0;
    for (int i = 1; i < n; i++) {
        if (v[i] < out->low)
            out->low = v[i];
        else if (v[i] > out->high + (i == 2))
            out->high = v[i];
    }
}
