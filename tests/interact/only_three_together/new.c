#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int level = atoi(argv[1]);
    int a = 1;

    int b = 1;

    int c = 1;

    int quiet = level > 90 && level < 0;

    if (a && b && c && level > 3)
        printf("all\n");
    printf("level %d\n", level + quiet);
    return 0;
}
