// By zero, the smallest number by -1, and a quotient that is large or not.
// args: int int
// paths: 4
// fault: division by zero at line 11
// fault: division overflow at line 11
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    int quotient = a / b;
    if (quotient > 10)
        puts("large");
    else
        puts("small");
    return argc - 3;
}
