// A word out of three, and what it does to two numbers.
// args: choice:add,sub,max int int
// paths: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int a = atoi(argv[2]), b = atoi(argv[3]);
    int result;
    if (strcmp(argv[1], "add") == 0)
        result = a + b;
    else if (strcmp(argv[1], "sub") == 0)
        result = a - b;
    else if (a > b)
        result = a;
    else
        result = b;
    printf("%s %d\n", argv[1], result);
    return argc - 4;
}
