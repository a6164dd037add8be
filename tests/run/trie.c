// A trie with insertion, prefix search and deletion, and a suffix array of the same text.
// stdin: the theory then there their this that those a an and ant any answer
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *kids[26]; int words, below; };
static int live;
static struct node *make(void) { live++; return calloc(1, sizeof(struct node)); }
static void insert(struct node *n, const char *w) {
    for (; *w; w++) {
        n->below++;
        struct node **k = &n->kids[*w - 'a'];
        if (!*k) *k = make();
        n = *k;
    }
    n->words++, n->below++;
}
static int prune(struct node **p, const char *w) {
    struct node *n = *p;
    if (!n) return 0;
    if (*w ? !prune(&n->kids[*w - 'a'], w + 1) : !n->words) return 0;
    if (!*w) n->words--;
    if (--n->below == 0) free(n), live--, *p = NULL;
    return 1;
}
static void list(const struct node *n, char *buffer, int depth) {
    if (n->words) printf("%.*s ", depth, buffer);
    for (int i = 0; i < 26; i++)
        if (n->kids[i]) buffer[depth] = (char)('a' + i), list(n->kids[i], buffer, depth + 1);
}
static const char *text;
static int by_suffix(const void *a, const void *b) { return strcmp(text + *(const int *)a, text + *(const int *)b); }

int main(void) {
    struct node *root = make();
    char word[32], buffer[32], all[200] = "";
    while (scanf("%31s", word) == 1) insert(root, word), strcat(strcat(all, word), "$");
    printf("%d %d\n", root->below, live);
    list(root, buffer, 0);
    printf("\n");
    const struct node *n = root;
    for (const char *p = "the"; *p && n; p++) n = n->kids[*p - 'a'];
    strcpy(buffer, "the"), list(n, buffer, 3);
    printf("%d\n", n->below);
    printf("%d %d %d\n", prune(&root, "theory"), prune(&root, "nothing"), prune(&root, "an"));
    list(root, buffer, 0);
    printf("%d\n", live);
    text = all;
    int size = (int)strlen(all), order[200];
    for (int i = 0; i < size; i++) order[i] = i;
    qsort(order, (size_t)size, sizeof *order, by_suffix);
    for (int i = 20; i < size; i += 12) printf("%d:%.6s ", order[i], text + order[i]);
    printf("\n");
    return 0;
}
