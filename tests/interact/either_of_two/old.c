#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int low = 0;

    int high = 9;

    int extra = 0;

    if (n <= low || n > high)
        puts("outside");
    printf("%d\n", n + extra - extra);
    return 0;
}
