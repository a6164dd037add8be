// A buddy allocator and a first-fit allocator over a static pool, with coalescing and a self check.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define UNIT 16
#define UNITS 256
static _Alignas(16) unsigned char pool[UNIT * UNITS];
static uint64_t used[UNITS / 64], starts[UNITS / 64];

static int get(const uint64_t *m, int i) { return m[i >> 6] >> (i & 63) & 1; }
static void set(uint64_t *m, int i, int v) { m[i >> 6] = (m[i >> 6] & ~(1ull << (i & 63))) | (uint64_t)v << (i & 63); }

static void *take(size_t size) {
    int need = (int)((size + UNIT - 1) / UNIT), run = 0;
    if (!need) need = 1;
    for (int i = 0; i < UNITS; i++) {
        if ((i & 63) == 0 && used[i >> 6] == ~0ull) { run = 0, i += 63; continue; }
        run = get(used, i) ? 0 : run + 1;
        if (run < need) continue;
        int first = i - need + 1;
        for (int k = first; k <= i; k++) set(used, k, 1);
        set(starts, first, 1);
        return pool + first * UNIT;
    }
    return NULL;
}
static size_t give(void *p) {
    int i = (int)(((unsigned char *)p - pool) / UNIT), n = 0;
    if (!get(starts, i)) return 0;
    set(starts, i, 0);
    do set(used, i + n, 0), n++;
    while (i + n < UNITS && get(used, i + n) && !get(starts, i + n));
    return (size_t)n * UNIT;
}

struct free_block { struct free_block *next; };
static struct free_block *lists[9];
static unsigned char arena[4096] __attribute__((aligned(4096)));
static void buddy_start(void) { lists[8] = (struct free_block *)arena, lists[8]->next = NULL; }
static void *buddy_take(int order) {
    int o = order;
    while (o < 9 && !lists[o]) o++;
    if (o == 9) return NULL;
    struct free_block *b = lists[o];
    lists[o] = b->next;
    while (o-- > order) {
        struct free_block *half = (struct free_block *)((unsigned char *)b + (UNIT << o));
        half->next = lists[o], lists[o] = half;
    }
    return b;
}
static void buddy_give(void *p, int order) {
    for (; order < 8; order++) {
        uintptr_t offset = (uintptr_t)((unsigned char *)p - arena);
        struct free_block *buddy = (struct free_block *)(arena + (offset ^ (uintptr_t)(UNIT << order))), **l = &lists[order];
        while (*l && *l != buddy) l = &(*l)->next;
        if (!*l) break;
        *l = buddy->next;
        if ((unsigned char *)buddy < (unsigned char *)p) p = buddy;
    }
    struct free_block *b = p;
    b->next = lists[order], lists[order] = b;
}

int main(void) {
    void *live[60] = {0};
    size_t sizes[60];
    unsigned s = 1;
    int failed = 0, damaged = 0;
    for (int i = 0; i < 2000; i++) {
        s = s * 1664525u + 1013904223u;
        int k = (int)(s >> 16) % 60;
        if (live[k]) {
            unsigned char *p = live[k];
            for (size_t j = 0; j < sizes[k]; j++) damaged += p[j] != (unsigned char)k;
            give(live[k]), live[k] = NULL;
        } else if ((live[k] = take(sizes[k] = (s >> 24) % 200))) memset(live[k], k, sizes[k]);
        else failed++;
    }
    int units = 0;
    for (int i = 0; i < UNITS; i++) units += get(used, i);
    printf("%d %d %d\n", failed, damaged, units);
    buddy_start();
    void *b[9];
    for (int o = 0; o < 7; o++) b[o] = buddy_take(o), printf("%td ", (unsigned char *)b[o] - arena);
    printf("%d\n", buddy_take(8) == NULL);
    for (int o = 6; o >= 0; o -= 2) buddy_give(b[o], o);
    for (int o = 5; o >= 0; o -= 2) buddy_give(b[o], o);
    printf("%d\n", buddy_take(8) == arena);
    return 0;
}
