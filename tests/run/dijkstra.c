// Shortest paths with a binary heap, checked by Bellman-Ford and Floyd-Warshall; a minimal spanning tree.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40
struct edge { int to, weight; struct edge *next; };
static struct edge *graph[N];
static int matrix[N][N];

struct item { int distance, node; };
static struct item heap[1000];
static int size;
static void push(struct item x) {
    int i = size++;
    for (; i && heap[(i - 1) / 2].distance > x.distance; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}
static struct item pop(void) {
    struct item top = heap[0], x = heap[--size];
    int i = 0, c;
    while ((c = 2 * i + 1) < size) {
        c += c + 1 < size && heap[c + 1].distance < heap[c].distance;
        if (heap[c].distance >= x.distance) break;
        heap[i] = heap[c], i = c;
    }
    heap[i] = x;
    return top;
}
static void dijkstra(int from, int *distance, int *via) {
    for (int i = 0; i < N; i++) distance[i] = INT_MAX, via[i] = -1;
    distance[from] = 0;
    push((struct item){0, from});
    while (size) {
        struct item x = pop();
        if (x.distance > distance[x.node]) continue;
        for (struct edge *e = graph[x.node]; e; e = e->next) {
            int d = x.distance + e->weight;
            if (d < distance[e->to]) distance[e->to] = d, via[e->to] = x.node, push((struct item){d, e->to});
        }
    }
}
static int parent[N];
static int root(int x) { return parent[x] == x ? x : (parent[x] = root(parent[x])); }
struct flat { int a, b, w; };
static int by_weight(const void *a, const void *b) { return ((const struct flat *)a)->w - ((const struct flat *)b)->w; }

int main(void) {
    unsigned s = 11;
    struct flat flat[200];
    int edges = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) matrix[i][j] = i == j ? 0 : 1000000;
    for (int i = 0; i < 150; i++) {
        s = s * 1103515245u + 12345u;
        int a = (int)(s >> 16) % (N - 2), b = (int)(s >> 8) % (N - 2), w = (int)(s >> 24) % 50 + 1;
        struct edge *e = malloc(sizeof *e);
        *e = (struct edge){b, w, graph[a]};
        graph[a] = e;
        if (w < matrix[a][b]) matrix[a][b] = w;
        flat[edges++] = (struct flat){a, b, w * 1000 + i};
    }
    int distance[N], via[N];
    dijkstra(0, distance, via);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (matrix[i][k] + matrix[k][j] < matrix[i][j]) matrix[i][j] = matrix[i][k] + matrix[k][j];
    int same = 1, reachable = 0;
    for (int i = 0; i < N; i++) {
        same &= (distance[i] == INT_MAX ? 1000000 : distance[i]) == matrix[0][i];
        reachable += distance[i] != INT_MAX;
    }
    printf("%d %d\n", same, reachable);
    for (int i = 5; i < N; i += 9) {
        printf("%d: %d via", i, distance[i]);
        for (int n = i; n >= 0; n = via[n]) printf(" %d", n);
        printf("\n");
    }
    for (int i = 0; i < N; i++) parent[i] = i;
    qsort(flat, (size_t)edges, sizeof *flat, by_weight);
    long total = 0;
    int used = 0;
    for (int i = 0; i < edges; i++) {
        int a = root(flat[i].a), b = root(flat[i].b);
        if (a != b) parent[a] = b, total += flat[i].w / 1000, used++;
    }
    printf("%d %ld\n", used, total);
    return 0;
}
