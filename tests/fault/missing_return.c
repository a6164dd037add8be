// A function that ends without a value; clang at -O0 returns whatever is there.
// exit: 3
// cflags: -Wno-return-type
static int partial(int x) {
    if (x > 0) return 3;
}

int main(void) { return partial(1); }
