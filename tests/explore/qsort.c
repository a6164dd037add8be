// Sorting by the library with three-way comparisons: 13 ways to order three with ties.
// args: int int int
// paths: 13
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x < y)
        return -1;
    return x > y;
}

int main(int argc, char **argv) {
    int values[3];
    for (int i = 0; i < 3; i++)
        values[i] = atoi(argv[i + 1]);
    qsort(values, 3, sizeof values[0], compare);
    for (int i = 0; i < 3; i++)
        printf("%d\n", values[i]);
    return argc - 4;
}
