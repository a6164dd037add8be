#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int i = atoi(argv[1]), j = atoi(argv[2]);
    int a = i + 1;
    int b = 0;
    int o = 0;
    if (a > 0) {
        b = j + 1;
        o = 1;
    }
    if (b > 0)
        o = o + 1;
    printf("%d\n", o);
    return 0;
}
