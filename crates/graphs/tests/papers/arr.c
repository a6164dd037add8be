#include <stdio.h>
#line 1001
int figure(int a, int *b)
{
#line 1
    int v, i, j;
    v = a - 1;
    for (i = 1; i <= 4; ++i) {
        if (b[i] > 0)
            j = 5;
        else
            j = 2;
        v += j; }
    printf("%d\n", j);
    return v > -10; }
