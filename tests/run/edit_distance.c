// Dynamic programming: edit distance with a trace, longest common subsequence, knapsack, coins, matrix chains.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int min3(int a, int b, int c) { return a < b ? a < c ? a : c : b < c ? b : c; }

static void edit(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), d[n + 1][m + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            d[i][j] = !i ? j : !j ? i : min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    char trace[100];
    int k = 0;
    for (int i = n, j = m; i || j;) {
        if (i && j && d[i][j] == d[i - 1][j - 1] + (a[i - 1] != b[j - 1])) trace[k++] = a[i - 1] == b[j - 1] ? '=' : '~', i--, j--;
        else if (i && d[i][j] == d[i - 1][j] + 1) trace[k++] = '-', i--;
        else trace[k++] = '+', j--;
    }
    printf("%s %s %d ", a, b, d[n][m]);
    while (k--) printf("%c", trace[k]);
    printf("\n");
}
static void subsequence(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), l[n + 1][m + 1];
    memset(l, 0, sizeof l);
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) l[i][j] = a[i] == b[j] ? 1 + l[i + 1][j + 1] : l[i + 1][j] > l[i][j + 1] ? l[i + 1][j] : l[i][j + 1];
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) printf("%c", a[i]), i++, j++;
        else if (l[i + 1][j] >= l[i][j + 1]) i++;
        else j++;
    }
    printf(" %d\n", l[0][0]);
}

int main(void) {
    edit("kitten", "sitting"), edit("", "abc"), edit("intention", "execution"), edit("same", "same");
    subsequence("AGGTABQWERTY", "GXTXAYBWERQTY");
    int weights[] = {3, 4, 5, 9, 14}, values[] = {3, 4, 4, 10, 15}, best[31] = {0};
    for (int i = 0; i < 5; i++)
        for (int w = 30; w >= weights[i]; w--)
            if (best[w - weights[i]] + values[i] > best[w]) best[w] = best[w - weights[i]] + values[i];
    printf("%d %d\n", best[30], best[15]);
    int coins[] = {1, 5, 12, 25}, need[101];
    long ways[101] = {1};
    for (int v = 0; v <= 100; v++) {
        need[v] = v ? INT_MAX : 0;
        for (int c = 0; c < 4; c++)
            if (v >= coins[c] && need[v - coins[c]] + 1 < need[v]) need[v] = need[v - coins[c]] + 1;
    }
    for (int c = 0; c < 4; c++) for (int v = coins[c]; v <= 100; v++) ways[v] += ways[v - coins[c]];
    printf("%d %d %ld\n", need[16], need[99], ways[100]);
    int p[] = {30, 35, 15, 5, 10, 20, 25}, cost[7][7] = {{0}};
    for (int len = 2; len < 7; len++)
        for (int i = 1; i + len - 1 < 7; i++) {
            int j = i + len - 1;
            cost[i][j] = INT_MAX;
            for (int k = i; k < j; k++) {
                int c = cost[i][k] + cost[k + 1][j] + p[i - 1] * p[k] * p[j];
                if (c < cost[i][j]) cost[i][j] = c;
            }
        }
    printf("%d\n", cost[1][6]);
    return 0;
}
