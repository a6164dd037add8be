// An open-addressing hash table with growth and deletion, checked against a sorted list.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *key; long value; unsigned hash; unsigned char state; } slot;
typedef struct { slot *slots; size_t size, used, live; } table;
enum { FREE, LIVE, DEAD };

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 ^ (unsigned char)*s++;
    return h;
}
static slot *probe(table *t, const char *key, unsigned h) {
    slot *grave = NULL;
    for (size_t i = h & (t->size - 1), step = 1;; i = (i + step++) & (t->size - 1)) {
        slot *s = &t->slots[i];
        if (s->state == FREE) return grave ? grave : s;
        if (s->state == DEAD) { if (!grave) grave = s; }
        else if (s->hash == h && !strcmp(s->key, key)) return s;
    }
}
static void grow(table *t) {
    table bigger = {calloc(t->size * 2, sizeof(slot)), t->size * 2, 0, 0};
    for (size_t i = 0; i < t->size; i++) {
        if (t->slots[i].state != LIVE) continue;
        *probe(&bigger, t->slots[i].key, t->slots[i].hash) = t->slots[i];
        bigger.used++, bigger.live++;
    }
    free(t->slots);
    *t = bigger;
}
static long *put(table *t, const char *key) {
    if ((t->used + 1) * 4 > t->size * 3) grow(t);
    unsigned h = hash(key);
    slot *s = probe(t, key, h);
    if (s->state != LIVE) {
        if (s->state == FREE) t->used++;
        *s = (slot){strdup(key), 0, h, LIVE};
        t->live++;
    }
    return &s->value;
}
static int del(table *t, const char *key) {
    slot *s = probe(t, key, hash(key));
    if (s->state != LIVE) return 0;
    free(s->key);
    s->key = NULL, s->state = DEAD;
    t->live--;
    return 1;
}
static int by_key(const void *a, const void *b) { return strcmp((*(slot *const *)a)->key, (*(slot *const *)b)->key); }

int main(void) {
    table t = {calloc(8, sizeof(slot)), 8, 0, 0};
    unsigned seed = 7;
    char key[16];
    int deleted = 0;
    for (int i = 0; i < 5000; i++) {
        seed = seed * 1664525u + 1013904223u;
        snprintf(key, sizeof key, "k%u", (seed >> 16) % 700);
        if (seed >> 31) deleted += del(&t, key);
        else *put(&t, key) += i;
    }
    printf("%zu %zu %d\n", t.live, t.size, deleted);
    slot **all = malloc(t.live * sizeof *all);
    size_t n = 0;
    long total = 0;
    for (size_t i = 0; i < t.size; i++)
        if (t.slots[i].state == LIVE) all[n++] = &t.slots[i], total += t.slots[i].value;
    qsort(all, n, sizeof *all, by_key);
    for (size_t i = 0; i < n; i += 40) printf("%s=%ld ", all[i]->key, all[i]->value);
    printf("%ld\n", total);
    for (size_t i = 0; i < n; i++) { snprintf(key, sizeof key, "%s", all[i]->key); if (!del(&t, key)) printf("lost %s\n", key); }
    printf("%zu\n", t.live);
    free(all), free(t.slots);
    return 0;
}
