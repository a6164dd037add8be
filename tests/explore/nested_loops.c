// No iteration of the outer loop, or one to three with zero to three of the inner one each.
// args: int:0..3 int:0..3
// paths: 13
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            count += i * j + 1;
    printf("%d\n", count);
    return argc - 3;
}
