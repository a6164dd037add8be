// An LRU cache: hash chains and a doubly linked list through the same entries.
// args: 8
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

struct link { struct link *next, *previous; };
struct entry { int key, value; struct entry *chain; struct link order; };
#define ENTRY(l) ((struct entry *)((char *)(l) - offsetof(struct entry, order)))
#define BUCKETS 16

static struct entry *buckets[BUCKETS];
static struct link list = {&list, &list};
static int count, capacity, hits, misses, evictions;

static void unlink_order(struct link *l) { l->next->previous = l->previous, l->previous->next = l->next; }
static void push_front(struct link *l) {
    l->next = list.next, l->previous = &list;
    list.next->previous = l, list.next = l;
}
static struct entry **find(int key) {
    struct entry **p = &buckets[(unsigned)key % BUCKETS];
    while (*p && (*p)->key != key) p = &(*p)->chain;
    return p;
}
static int *get(int key) {
    struct entry *e = *find(key);
    if (!e) { misses++; return NULL; }
    hits++;
    unlink_order(&e->order), push_front(&e->order);
    return &e->value;
}
static void put(int key, int value) {
    struct entry *e = *find(key);
    if (!e) {
        if (count == capacity) {
            struct entry *old = ENTRY(list.previous);
            *find(old->key) = old->chain;
            unlink_order(&old->order);
            free(old);
            count--, evictions++;
        }
        e = malloc(sizeof *e);
        e->key = key, e->chain = NULL;
        *find(key) = e;
        count++;
    } else unlink_order(&e->order);
    e->value = value;
    push_front(&e->order);
}

int main(int argc, char **argv) {
    capacity = argc > 1 ? atoi(argv[1]) : 4;
    unsigned x = 1;
    long sum = 0;
    for (int i = 0; i < 2000; i++) {
        x = x * 69069 + 1;
        int key = (int)((x >> 20) % 20 * (x >> 28) / 8);
        int *v = get(key);
        if (v) sum += *v;
        else put(key, i);
    }
    printf("%d %d %d %d %ld\n", count, hits, misses, evictions, sum);
    for (struct link *l = list.next; l != &list; l = l->next) printf("%d=%d ", ENTRY(l)->key, ENTRY(l)->value);
    printf("\n");
    return 0;
}
