// A buffer with its length: a negative element ends the sum at one of three places; otherwise
// the sum of one, two or three is a certain one or is not; of none it is zero.
// entry: sum
// param values: buf:3
// param count: int:0..3
// paths: 10
int sum(const int *values, unsigned count) {
    int total = 0;
    for (unsigned i = 0; i < count; i++) {
        if (values[i] < 0)
            return -1;
        total += values[i];
    }
    if (total == 1000000000)
        return 1;
    return 0;
}
