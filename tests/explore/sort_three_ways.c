// Three-way comparisons: 13 ways to order three elements with ties.
// args: int:0..3 int:0..3 int:0..3
// paths: 13
#include <stdio.h>
#include <stdlib.h>

static int compare(int a, int b) {
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    printf("%d %d %d\n", compare(a, b), compare(b, c), compare(a, c));
    return argc - 4;
}
