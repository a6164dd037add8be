// The game of life on a torus of bytes and on rows of bits; both agree.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 32
static uint8_t cells[N][N], next[N][N];
static uint32_t rows[N], next_rows[N];

static void step_bytes(void) {
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) n += (dx || dy) && cells[(y + dy + N) % N][(x + dx + N) % N];
            next[y][x] = n == 3 || (n == 2 && cells[y][x]);
        }
    memcpy(cells, next, sizeof cells);
}

static uint32_t rotate(uint32_t v, int by) { return by == 0 ? v : by > 0 ? v << 1 | v >> 31 : v >> 1 | v << 31; }

static void step_bits(void) {
    for (int y = 0; y < N; y++) {
        uint32_t ones = 0, twos = 0, fours = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (!dx && !dy) continue;
                uint32_t b = rotate(rows[(y + dy + N) % N], dx), carry = ones & b;
                ones ^= b;
                uint32_t carry2 = twos & carry;
                twos ^= carry;
                fours |= carry2;
            }
        next_rows[y] = twos & ~fours & (ones | rows[y]);
    }
    memcpy(rows, next_rows, sizeof rows);
}

int main(void) {
    static const char *const pattern[] = {".#......", "...#....", "##..###.", ".......", "#.#.#.#"};
    for (int y = 0; y < 5; y++)
        for (int x = 0; pattern[y][x]; x++)
            if (pattern[y][x] == '#') cells[y + 10][x + 10] = 1, rows[y + 10] |= 1u << (x + 10);
    int alive = 0, same = 1;
    for (int g = 0; g < 60; g++) {
        step_bytes(), step_bits();
        alive = 0;
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) alive += cells[y][x], same &= cells[y][x] == (rows[y] >> x & 1);
        if (g % 10 == 9) printf("%d: %d %d\n", g + 1, alive, same);
    }
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) printf("%c", cells[y][x] ? '#' : '.');
        printf("\n");
    }
    return 0;
}
