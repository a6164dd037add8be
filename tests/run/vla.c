// Variable length arrays and alloca: sizes at run time, two dimensions, lifetime in loops.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (i + 1);
    return s;
}

static int triangle(int n) {
    int row[n + 1];
    memset(row, 0, sizeof row);
    row[0] = 1;
    for (int i = 1; i <= n; i++)
        for (int j = i; j > 0; j--) row[j] += row[j - 1];
    int s = 0;
    for (int i = 0; i <= n; i++) s += row[i] * (i % 2 ? 1 : 2);
    return s;
}

static char *join(char *out, int n, ...) {
    char *p = alloca(n * 2);
    for (int i = 0; i < n; i++) p[2 * i] = 'a' + i, p[2 * i + 1] = i == n - 1 ? 0 : ',';
    return strcpy(out, p);
}

int main(void) {
    for (int n = 1; n < 6; n++) {
        int a[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) a[i][j] = i * 10 + j;
        printf("%d %zu %zu %d\n", n, sizeof a, sizeof a[0], sum(n, n + 1, a));
    }
    for (int n = 0; n < 12; n++) printf("%d ", triangle(n));
    char out[64];
    printf("\n%s\n", join(out, 7));
    int n = 4;
    int (*p)[n] = alloca(sizeof(int[n]) * 3);
    for (int i = 0; i < 12; i++) p[i / 4][i % 4] = i * i;
    printf("%d %d %td\n", p[2][3], (*(p + 1))[2], &p[2] - &p[0]);
    n = 100;
    printf("%zu\n", sizeof *p);
    long total = 0;
    for (int i = 0; i < 20000; i++) {
        char local[i % 50 + 1];
        local[i % 50] = (char)i;
        total += local[i % 50] + (long)sizeof local;
    }
    printf("%ld\n", total);
    int side = 0;
    char evaluated[(side = 7, 3)];
    printf("%zu %d\n", sizeof evaluated, side);
    typedef int vector[n];
    n = 5;
    printf("%zu\n", sizeof(vector));
again:;
    char jumped[n];
    jumped[n - 1] = 'x';
    if (n-- > 3) goto again;
    printf("%zu %c\n", sizeof jumped, jumped[sizeof jumped - 1]);
    return 0;
}
