// Bubble sort always compares three times; two of the eight outcomes contradict themselves.
// args: int:0..5 int:0..5 int:0..5
// paths: 6
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv) {
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = atoi(argv[i + 1]);
    for (int n = 2; n > 0; n--)
        for (int i = 0; i < n; i++)
            if (a[i] > a[i + 1])
                swap(&a[i], &a[i + 1]);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return argc - 4;
}
