// A maze by depth-first carving, solved by breadth-first search and by following the wall; flood fill by recursion.
// args: 12 6 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width, height;
static char *grid;
static unsigned seed;
#define AT(x, y) grid[(y) * (2 * width + 1) + (x)]
static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};

static void carve(int x, int y) {
    AT(2 * x + 1, 2 * y + 1) = ' ';
    int order[] = {0, 1, 2, 3};
    for (int i = 3; i > 0; i--) {
        seed = seed * 1103515245u + 12345u;
        int j = (int)((seed >> 16) % (unsigned)(i + 1)), t = order[i];
        order[i] = order[j], order[j] = t;
    }
    for (int i = 0; i < 4; i++) {
        int nx = x + dx[order[i]], ny = y + dy[order[i]];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height || AT(2 * nx + 1, 2 * ny + 1) == ' ') continue;
        AT(x + nx + 1, y + ny + 1) = ' ';
        carve(nx, ny);
    }
}
static int fill(int x, int y) {
    if (AT(x, y) != ' ') return 0;
    AT(x, y) = '~';
    return 1 + fill(x + 1, y) + fill(x - 1, y) + fill(x, y + 1) + fill(x, y - 1);
}

int main(int argc, char **argv) {
    width = argc > 1 ? atoi(argv[1]) : 5, height = argc > 2 ? atoi(argv[2]) : 5, seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    int w = 2 * width + 1, h = 2 * height + 1, n = w * h;
    grid = malloc((size_t)n);
    memset(grid, '#', (size_t)n);
    carve(0, 0);
    int *queue = malloc((size_t)n * sizeof *queue), *from = malloc((size_t)n * sizeof *from), head = 0, tail = 0;
    for (int i = 0; i < n; i++) from[i] = -1;
    int start = w + 1, goal = (h - 2) * w + w - 2;
    queue[tail++] = start, from[start] = start;
    while (head < tail && from[goal] < 0) {
        int p = queue[head++];
        for (int d = 0; d < 4; d++) {
            int q = p + dx[d] + dy[d] * w;
            if (grid[q] == ' ' && from[q] < 0) from[q] = p, queue[tail++] = q;
        }
    }
    int length = 0, walked = 0, d = 0;
    for (int p = goal; p != start; p = from[p]) length++;
    for (int p = start; p != goal && walked < 5000; walked++) {
        d = (d + 3) % 4;
        while (grid[p + dx[d] + dy[d] * w] != ' ') d = (d + 1) % 4;
        p += dx[d] + dy[d] * w;
    }
    for (int p = goal; p != start; p = from[p]) grid[p] = '.';
    for (int y = 0; y < h; y++) printf("%.*s\n", w, grid + y * w);
    for (int i = 0; i < n; i++) if (grid[i] == '.') grid[i] = ' ';
    printf("%d %d %d %d\n", length, walked, tail, fill(1, 1));
    free(grid), free(queue), free(from);
    return 0;
}
