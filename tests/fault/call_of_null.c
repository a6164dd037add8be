// faults: call of 0x0, which is not a function
// exit: 139
struct operations { int (*open)(int), (*close)(int); };

static int opened(int x) { return x; }

int main(void) {
    struct operations o = {.open = opened};
    return o.open(0) + o.close(1);
}
