// entry: find
// flags: --param v=buf:3 --param n=int:0..3
const int *find(const int *v, int n, int wanted) {
    const int *end = v + n;
    while (v < end && *v != wanted) v++;
    return v;
}
