/* Line 10 + k is line k of the figure. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int x = atoi(argv[1]);
    int y = atoi(argv[2]);


    if (x <= 2)
        y = y + 1;
    else
        y = y - 1;

    if (y > 2)
        puts("1");
    else
        puts("0");
    return 0;
}
