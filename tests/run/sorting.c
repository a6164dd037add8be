// qsort, bsearch, lfind and qsort_r with comparators of several kinds.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int compare_down(const void *a, const void *b) { return compare_int(b, a); }
static int compare_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

struct person { char name[12]; int age; double weight; };
static int by_age(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}
static int with_context(const void *a, const void *b, void *context) {
    ++*(int *)context;
    return compare_int(a, b);
}

static unsigned seed = 1;
static int next(void) { return (int)((seed = seed * 1103515245u + 12345u) >> 16 & 0x7fff); }

int main(void) {
    int v[200];
    for (int i = 0; i < 200; i++) v[i] = next() % 1000 - 500;
    qsort(v, 200, sizeof *v, compare_int);
    for (int i = 0; i < 200; i += 20) printf("%d ", v[i]);
    int key = v[77], missing = 12345;
    int *found = bsearch(&key, v, 200, sizeof *v, compare_int);
    printf("| %d %d\n", *found == key, bsearch(&missing, v, 200, sizeof *v, compare_int) == NULL);
    qsort(v, 200, sizeof *v, compare_down);
    int sorted = 1;
    for (int i = 1; i < 200; i++) sorted &= v[i - 1] >= v[i];
    printf("%d\n", sorted);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry", "apple", "date"};
    qsort(words, 7, sizeof *words, compare_string);
    for (int i = 0; i < 7; i++) printf("%s ", words[i]);
    const char *want = "fig";
    const char **w = bsearch(&want, words, 7, sizeof *words, compare_string);
    printf("%td\n", w - words);
    struct person people[30];
    for (int i = 0; i < 30; i++) {
        snprintf(people[i].name, sizeof people[i].name, "p%02d", next() % 100);
        people[i].age = next() % 10;
        people[i].weight = next() / 100.0;
    }
    qsort(people, 30, sizeof *people, by_age);
    for (int i = 0; i < 30; i++) printf("%s/%d/%.1f ", people[i].name, people[i].age, people[i].weight);
    printf("\n");
    unsigned char bytes[] = "sorting bytes";
    int compares = 0;
    int w4[] = {4, 3, 2, 1};
    qsort_r(w4, 4, sizeof *w4, with_context, &compares);
    printf("%d%d%d%d %d\n", w4[0], w4[1], w4[2], w4[3], compares > 0);
    qsort(v, 0, sizeof *v, compare_int);
    qsort(v, 1, sizeof *v, compare_int);
    size_t n = 4;
    int look = 3, add = 9;
    printf("%td\n", (int *)lfind(&look, w4, &n, sizeof *w4, compare_int) - w4);
    int room[8] = {1, 2, 3};
    n = 3;
    lsearch(&add, room, &n, sizeof *room, compare_int);
    printf("%zu %d %s\n", n, room[3], (char *)bytes);
    return 0;
}
