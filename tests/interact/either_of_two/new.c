#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int low = 5 * (n == 5);

    int high = n == 5 ? 4 : 9;

    int extra = 1;

    if (n <= low || n > high)
        puts("outside");
    printf("%d\n", n + extra - extra);
    return 0;
}
