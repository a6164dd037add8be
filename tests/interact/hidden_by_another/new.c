#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int number = atoi(argv[1]);
    int sum = number + 5;

    printf("sum of %d\n", argc);

    printf("%d\n", sum - 5);

    printf("end\n");

    return number > 95;
}
