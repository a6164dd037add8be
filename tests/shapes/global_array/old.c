// entry: tally
// flags: --param s=str:3
int counts[4];

void tally(const char *s) {
    for (; *s; s++) counts[*s & 3]++;
}
