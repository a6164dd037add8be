#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int level = atoi(argv[1]);
    int a = 0;

    int b = 0;

    int c = 0;

    int quiet = 0;

    if (a && b && c && level > 3)
        printf("all\n");
    printf("level %d\n", level + quiet);
    return 0;
}
