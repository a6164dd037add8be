#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);

    int a = n + 10;
    puts("");
    int b = n * 3;
    int c = a + b;
    printf("%d %d\n", a, b);
    printf("%d\n", c);
    return 0;
}
