// entry: each
// flags: --param v=buf:3 --param n=int:0..3 --param cb==record
int seen[4], calls;

void record(int value) {
    if (calls < 4) seen[calls++] = value;
}

void each(const int *v, int n, void (*cb)(int)) {
    for (int i = 0; i < n; i++) cb(v[i]);
}
