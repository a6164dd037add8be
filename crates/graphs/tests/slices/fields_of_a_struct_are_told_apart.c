#include <stdio.h>
#include <stdlib.h>
struct pair { int left; int right; struct pair *next; };
static int right_of(struct pair *p) {
    return p->right; // out
}
int main(int argc, char **argv) {
    struct pair local, *heap = malloc(sizeof *heap);
    local.right = 3;
    heap->right = 4;
    heap->next = &local;
    heap->left = argc; // forward from here
    printf("%d\n", heap->left); // in
    printf("%d\n", right_of(heap)); // out
    printf("%d\n", heap->next->right); // out
    return 0;
}
