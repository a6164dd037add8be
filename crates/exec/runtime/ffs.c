/* The number of the lowest bit that is set, from 1; 0 if there is none. */

int ffsll(long long bits) {
    if (bits == 0)
        return 0;
    int place = 1;
    while ((bits & 1) == 0) {
        bits = (long long)((unsigned long long)bits >> 1);
        place++;
    }
    return place;
}

int ffsl(long bits) { return ffsll(bits); }

int ffs(int bits) { return ffsll(bits); }
