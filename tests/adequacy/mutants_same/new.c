#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int o = 0;


    if (n > 2)
        o = n + 1;
    if (n == 7)
        o += 2;
    printf("%d\n", o);
    return 0;
}
