#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int number = atoi(argv[1]);
    int sum = number;

    printf("sum of %d\n", argc);

    printf("%d\n", sum);

    printf("end\n");

    return number > 90;
}
