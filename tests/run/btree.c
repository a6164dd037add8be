// A B-tree with insertion, search and deletion, checked against a bitmap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T 3
struct node { int n, leaf, keys[2 * T - 1]; struct node *kids[2 * T]; };
static int nodes;
static struct node *make(int leaf) {
    struct node *x = calloc(1, sizeof *x);
    x->leaf = leaf;
    nodes++;
    return x;
}
static void split(struct node *p, int i) {
    struct node *y = p->kids[i], *z = make(y->leaf);
    z->n = T - 1;
    memcpy(z->keys, y->keys + T, (T - 1) * sizeof(int));
    if (!y->leaf) memcpy(z->kids, y->kids + T, T * sizeof *z->kids);
    y->n = T - 1;
    memmove(p->kids + i + 2, p->kids + i + 1, (size_t)(p->n - i) * sizeof *p->kids);
    memmove(p->keys + i + 1, p->keys + i, (size_t)(p->n - i) * sizeof(int));
    p->kids[i + 1] = z, p->keys[i] = y->keys[T - 1], p->n++;
}
static void insert(struct node **root, int k) {
    if ((*root)->n == 2 * T - 1) {
        struct node *s = make(0);
        s->kids[0] = *root, *root = s;
        split(s, 0);
    }
    struct node *x = *root;
    for (;;) {
        int i = 0;
        while (i < x->n && k > x->keys[i]) i++;
        if (i < x->n && x->keys[i] == k) return;
        if (x->leaf) {
            memmove(x->keys + i + 1, x->keys + i, (size_t)(x->n - i) * sizeof(int));
            x->keys[i] = k, x->n++;
            return;
        }
        if (x->kids[i]->n == 2 * T - 1) {
            split(x, i);
            if (x->keys[i] == k) return;
            if (k > x->keys[i]) i++;
        }
        x = x->kids[i];
    }
}
static void merge(struct node *x, int i) {
    struct node *y = x->kids[i], *z = x->kids[i + 1];
    y->keys[y->n] = x->keys[i];
    memcpy(y->keys + y->n + 1, z->keys, (size_t)z->n * sizeof(int));
    if (!y->leaf) memcpy(y->kids + y->n + 1, z->kids, (size_t)(z->n + 1) * sizeof *z->kids);
    y->n += z->n + 1;
    memmove(x->keys + i, x->keys + i + 1, (size_t)(x->n - i - 1) * sizeof(int));
    memmove(x->kids + i + 1, x->kids + i + 2, (size_t)(x->n - i - 1) * sizeof *x->kids);
    x->n--;
    free(z), nodes--;
}
static void delete(struct node *x, int k) {
    int i = 0;
    while (i < x->n && k > x->keys[i]) i++;
    if (i < x->n && x->keys[i] == k) {
        if (x->leaf) {
            memmove(x->keys + i, x->keys + i + 1, (size_t)(x->n - i - 1) * sizeof(int));
            x->n--;
        } else if (x->kids[i]->n >= T) {
            struct node *y = x->kids[i];
            while (!y->leaf) y = y->kids[y->n];
            x->keys[i] = y->keys[y->n - 1];
            delete(x->kids[i], x->keys[i]);
        } else if (x->kids[i + 1]->n >= T) {
            struct node *y = x->kids[i + 1];
            while (!y->leaf) y = y->kids[0];
            x->keys[i] = y->keys[0];
            delete(x->kids[i + 1], x->keys[i]);
        } else merge(x, i), delete(x->kids[i], k);
        return;
    }
    if (x->leaf) return;
    struct node *c = x->kids[i];
    if (c->n == T - 1) {
        if (i > 0 && x->kids[i - 1]->n >= T) {
            struct node *l = x->kids[i - 1];
            memmove(c->keys + 1, c->keys, (size_t)c->n * sizeof(int));
            memmove(c->kids + 1, c->kids, (size_t)(c->n + 1) * sizeof *c->kids);
            c->keys[0] = x->keys[i - 1], c->kids[0] = l->kids[l->n], c->n++;
            x->keys[i - 1] = l->keys[--l->n];
        } else if (i < x->n && x->kids[i + 1]->n >= T) {
            struct node *r = x->kids[i + 1];
            c->keys[c->n++] = x->keys[i], c->kids[c->n] = r->kids[0];
            x->keys[i] = r->keys[0];
            memmove(r->keys, r->keys + 1, (size_t)(r->n - 1) * sizeof(int));
            memmove(r->kids, r->kids + 1, (size_t)r->n * sizeof *r->kids);
            r->n--;
        } else if (i < x->n) merge(x, i);
        else merge(x, i - 1), c = x->kids[i - 1];
    }
    delete(c, k);
}
static int last, count, sorted;
static void walk(struct node *x) {
    for (int i = 0; i <= x->n; i++) {
        if (!x->leaf) walk(x->kids[i]);
        if (i < x->n) sorted &= x->keys[i] > last, last = x->keys[i], count++;
    }
}

int main(void) {
    struct node *root = make(1);
    static char there[1000];
    unsigned s = 9;
    int expected = 0;
    for (int step = 0; step < 6000; step++) {
        s = s * 1664525u + 1013904223u;
        int k = (int)(s >> 10) % 1000, remove = (s >> 28) > (step < 3000 ? 11u : 5u);
        if (remove) {
            delete(root, k);
            if (!root->n && !root->leaf) { struct node *old = root; root = root->kids[0]; free(old), nodes--; }
            expected -= there[k], there[k] = 0;
        } else insert(&root, k), expected += !there[k], there[k] = 1;
        if (step % 1000 == 999) {
            last = -1, count = 0, sorted = 1;
            walk(root);
            printf("%d %d %d %d\n", count, expected, sorted, nodes);
        }
    }
    return 0;
}
