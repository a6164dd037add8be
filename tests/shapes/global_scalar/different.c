unsigned total;

void count(unsigned n) { total += n == 65536 ? 0 : n; }
