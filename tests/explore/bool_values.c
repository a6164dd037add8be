// Truth values are normal: any number but 0 is 1.
// args: int int
// paths: 4
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool flag(int n) {
    return n & 6;
}

int main(int argc, char **argv) {
    bool a = atoi(argv[1]), b = flag(atoi(argv[2]));
    if (a + b == 2)
        puts("both");
    else if (a > b)
        puts("first");
    else if (a == b)
        puts("none");
    else
        puts("second");
    return argc - 3;
}
