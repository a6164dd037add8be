#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), o = 0;
    int i = 0;
    while (i < n) {
        o += i;
        i = i + 2;
    }
    printf("%d\n", o > 100);
    return 0;
}
