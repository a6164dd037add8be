int counts[4];

void tally(const char *s) {
    for (; *s; s++) counts[*s == 'x' ? 3 : *s & 3]++;
}
