// Insertion sort: the leaves of its comparison tree are the six permutations; equal elements
// stay in order and make no leaf of their own.
// args: int int int
// paths: 6
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = atoi(argv[i + 1]);
    for (int i = 1; i < 3; i++) {
        int x = a[i], j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return argc - 4;
}
