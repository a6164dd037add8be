#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int x = atoi(argv[1]);
    int y = atoi(argv[2]);
    int a;
    int b;

    a = x > 3;
    b = a ? y : 5;
    switch (b) {
    case 1: case 2:
        puts("few");
        break;
    default:
        puts("many");
    }
    return 0;
}
