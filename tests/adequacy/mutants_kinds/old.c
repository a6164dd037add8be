#include <stdio.h>
#include <stdlib.h>

static int total;

static void show(int n)
{
    printf("%d\n", n);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), o = 0;
    o = n + 1;
    total = n;
    show(o);
    return 0;
}
