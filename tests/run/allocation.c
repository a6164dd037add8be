// malloc, calloc, realloc, aligned allocation: contents, alignment, sizes at the edges.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

int main(void) {
    int *a = calloc(10, sizeof *a);
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += a[i], a[i] = i;
    a = realloc(a, 1000 * sizeof *a);
    for (int i = 0; i < 10; i++) sum += a[i];
    for (int i = 10; i < 1000; i++) a[i] = i;
    a = realloc(a, 5 * sizeof *a);
    printf("%d %d\n", sum, a[4]);
    free(a);
    free(NULL);
    char *p = realloc(NULL, 10);
    strcpy(p, "realloc");
    printf("%s %d\n", p, (uintptr_t)p % 16 == 0);
    free(p);
    for (size_t align = 16; align <= 4096; align *= 4) {
        void *q = aligned_alloc(align, align * 2), *r;
        int code = posix_memalign(&r, align, 100);
        printf("%d %d %d\n", (uintptr_t)q % align == 0, code, (uintptr_t)r % align == 0);
        memset(q, 1, align * 2), memset(r, 2, 100);
        free(q), free(r);
    }
    void *bad;
    printf("%d\n", posix_memalign(&bad, 3, 10) == EINVAL);
    errno = 0;
    volatile size_t huge = SIZE_MAX / 2;
    printf("%d %d\n", malloc(huge) == NULL, errno == ENOMEM);
    printf("%d\n", calloc(huge, 4) == NULL);
    printf("%d\n", reallocarray(NULL, huge, 8) == NULL);
    void *zero = malloc(0);
    printf("%d\n", zero != NULL);
    free(zero);
    struct node *list = NULL;
    for (int i = 0; i < 1000; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i, n->next = list, list = n;
    }
    long total = 0;
    while (list) {
        struct node *n = list;
        total += n->value;
        list = n->next;
        free(n);
    }
    printf("%ld\n", total);
    char *s = NULL;
    size_t used = 0;
    for (int i = 0; i < 100; i++) {
        s = realloc(s, used + 12);
        used += (size_t)sprintf(s + used, "%d,", i);
    }
    printf("%zu %.20s\n", used, s);
    printf("%d\n", malloc_usable_size(s) >= used);
    free(s);
    void *v = memalign(64, 10), *w = valloc(10);
    printf("%d %d\n", (uintptr_t)v % 64 == 0, (uintptr_t)w % 4096 == 0);
    free(v), free(w);
    return 0;
}
