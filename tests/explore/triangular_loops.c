// The inner loop is bounded by the outer: only the number of outer iterations decides.
// args: int:-2..6
// paths: 7
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j > 0; j--)
            sum += n - j;
    printf("%d\n", sum);
    return argc - 2;
}
