// N queens by bit masks and by backtracking on arrays; both count the same.
#include <stdio.h>
#include <stdlib.h>

static int by_bits(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    int n = 0;
    for (unsigned free = all & ~(columns | left | right), bit; free; free &= free - 1) {
        bit = free & -free;
        n += by_bits(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

static int place[12], first[12], have_first;
static int by_arrays(int row, int n) {
    if (row == n) {
        if (!have_first) for (int i = 0; i < n; i++) first[i] = place[i];
        have_first = 1;
        return 1;
    }
    int count = 0;
    for (int c = 0; c < n; c++) {
        int safe = 1;
        for (int r = 0; r < row && safe; r++) safe = place[r] != c && abs(place[r] - c) != row - r;
        if (safe) place[row] = c, count += by_arrays(row + 1, n);
    }
    return count;
}

int main(void) {
    for (int n = 1; n <= 8; n++) {
        have_first = 0;
        int a = by_bits((1u << n) - 1, 0, 0, 0), b = by_arrays(0, n);
        printf("%d: %d %d", n, a, b);
        for (int i = 0; have_first && i < n; i++) printf(" %d", first[i]);
        printf("\n");
    }
    return 0;
}
