unsigned total;

void count(unsigned n) {
    unsigned before = total;
    total = ~n;
    total = before - total - 1;
}
