// never ends
static int depth(int n) {
    return n ? 1 + depth(n - 1) : 0;
}

int main(void) {
    while (depth(5) == 5)
        ;
    return 0;
}
