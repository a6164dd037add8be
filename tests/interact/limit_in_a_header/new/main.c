#include <stdio.h>
#include <stdlib.h>
#include "limits.h"

int main(int argc, char **argv)
{
    int wanted = atoi(argv[1]);
    int marks[] = {5, 4, 3, 2};
    int sum = 0;
    if (wanted > MOST)
        wanted = MOST;
    for (int i = 0; i < wanted; i++)
        sum += marks[i % 4];

    printf("%d\n", sum > 24 ? 24 : sum);
    return 0;
}
