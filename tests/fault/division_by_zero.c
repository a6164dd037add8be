// faults: division by zero
// exit: 136
// args: 5 0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("before\n");
    fflush(stdout);
    printf("%d\n", atoi(argv[1]) / atoi(argv[argc - 1]));
    return 0;
}
