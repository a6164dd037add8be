// Tic-tac-toe by minimax with alpha-beta on bit boards; all games from every first move.
#include <stdio.h>

static const int wins[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static long visited;
static int won(int board) {
    for (int i = 0; i < 8; i++) if ((board & wins[i]) == wins[i]) return 1;
    return 0;
}
static int best(int me, int other, int alpha, int beta, int *move) {
    visited++;
    if (won(other)) return -10;
    if ((me | other) == 0777) return 0;
    for (int i = 0; i < 9; i++) {
        if ((me | other) >> i & 1) continue;
        int reply, v = -best(other, me | 1 << i, -beta, -alpha, &reply);
        v -= (v > 0) - (v < 0);
        if (v > alpha) alpha = v, *move = i;
        if (alpha >= beta) break;
    }
    return alpha;
}
static void show(int x, int o) {
    for (int i = 0; i < 9; i++) printf("%c%s", x >> i & 1 ? 'X' : o >> i & 1 ? 'O' : '.', i % 3 == 2 ? "\n" : " ");
}

int main(void) {
    for (int first = 0; first < 9; first += 4) {
        int x = 1 << first, o = 0, move = 0, turn = 1;
        while (!won(x) && !won(o) && (x | o) != 0777) {
            int v = turn ? best(o, x, -100, 100, &move) : best(x, o, -100, 100, &move);
            printf("%c%d(%d) ", turn ? 'o' : 'x', move, v);
            if (turn) o |= 1 << move;
            else x |= 1 << move;
            turn = !turn;
        }
        printf("\n");
        show(x, o);
    }
    int move = 0, score = best(0b000100001, 0b000000010, -100, 100, &move);
    printf("%d %d %ld\n", score, move, visited);
    return 0;
}
