// A sudoku solver with candidate masks and backtracking on the most constrained cell.
// stdin: 530070000600195000098000060800060003400803001700020006060000280000419005000080079
// stdin: 000000907000420180000705026100904000050000040000507009920108000034059000507000000
#include <stdio.h>
#include <string.h>

static unsigned rows[9], columns[9], boxes[9];
static char grid[82];
static long steps;

static int solve(void) {
    int best = -1, fewest = 10;
    unsigned choice = 0;
    steps++;
    for (int i = 0; i < 81; i++) {
        if (grid[i] != '0') continue;
        unsigned m = ~(rows[i / 9] | columns[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]) & 0x3fe;
        int n = __builtin_popcount(m);
        if (n < fewest) fewest = n, best = i, choice = m;
    }
    if (best < 0) return 1;
    unsigned *r = &rows[best / 9], *c = &columns[best % 9], *b = &boxes[best / 27 * 3 + best % 9 / 3];
    for (; choice; choice &= choice - 1) {
        unsigned bit = choice & -choice;
        grid[best] = (char)('0' + __builtin_ctz(bit));
        *r |= bit, *c |= bit, *b |= bit;
        if (solve()) return 1;
        *r &= ~bit, *c &= ~bit, *b &= ~bit;
    }
    grid[best] = '0';
    return 0;
}

int main(void) {
    while (scanf("%81s", grid) == 1) {
        memset(rows, 0, sizeof rows), memset(columns, 0, sizeof columns), memset(boxes, 0, sizeof boxes);
        for (int i = 0; i < 81; i++) {
            unsigned bit = grid[i] == '0' ? 0 : 1u << (grid[i] - '0');
            rows[i / 9] |= bit, columns[i % 9] |= bit, boxes[i / 27 * 3 + i % 9 / 3] |= bit;
        }
        steps = 0;
        int ok = solve();
        printf("%s in %ld steps\n", ok ? "solved" : "impossible", steps);
        for (int i = 0; i < 81; i++) printf("%c%s", grid[i], i % 9 == 8 ? "\n" : " ");
    }
    return 0;
}
