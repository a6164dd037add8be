// Arguments up to the null pointer behind the last: only three of them can be much.
// args: int:0..9
// args-max: 3
// paths: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int sum = 0;
    for (char **arg = argv + 1; *arg; arg++)
        sum += atoi(*arg);
    if (sum > 20)
        puts("much");
    printf("%d\n", argc);
    return 0;
}
