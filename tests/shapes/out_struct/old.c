// entry: limits
// flags: --param v=buf:3 --param n=int:0..3
struct range {
    int low, high;
};

void limits(const int *v, int n, struct range *out) {
    out->low = out->high = n ? v[0] : 0;
    for (int i = 1; i < n; i++) {
        if (v[i] < out->low) out->low = v[i];
        if (v[i] > out->high) out->high = v[i];
    }
}
