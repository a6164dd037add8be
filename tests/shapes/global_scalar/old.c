// entry: count
unsigned total;

void count(unsigned n) { total += n; }
