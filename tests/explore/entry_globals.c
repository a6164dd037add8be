// A function whose result depends on global variables.
// entry: step
// global mode: int:0..2
// global limits:
// paths: 5
struct limits { short low; unsigned char high; };
static int mode;
static struct limits limits = {1, 2};

int step(int value) {
    if (mode == 0)
        return value;
    if (mode == 1)
        return value < limits.low ? limits.low : value;
    if (value > limits.high)
        return limits.high;
    return value;
}
