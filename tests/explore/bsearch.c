// Searching in four numbers: each of them is found, and there are five places between them, one
// of which is empty.
// args: int
// paths: 8
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *key, const void *element) {
    int x = *(const int *)key, y = *(const int *)element;
    if (x < y)
        return -1;
    if (x > y)
        return 1;
    return 0;
}

static const int table[] = {2, 3, 5, 7};

int main(int argc, char **argv) {
    int key = atoi(argv[1]);
    const int *found = bsearch(&key, table, 4, sizeof table[0], compare);
    printf("%d\n", found ? (int)(found - table) : -1);
    return argc - 2;
}
