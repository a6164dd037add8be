#include <stdio.h>
#include <stdlib.h>

static int fee(int amount)
{
    return amount / 10;
}

int main(int argc, char **argv)
{
    int amount = atoi(argv[argc - 1]);

    printf("%d\n", fee(amount));
    return 0;
}
