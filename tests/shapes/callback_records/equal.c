int seen[4], calls;

void record(int value) {
    if (calls < 4) seen[calls++] = value;
}

void each(const int *v, int n, void (*cb)(int)) {
    const int *end = v + n;
    while (v != end) cb(*v++);
}
