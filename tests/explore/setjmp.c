// Jumps out of a call.
// args: int:-5..5 int:-5..5
// paths: 4
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static int root(int n) {
    if (n < 0)
        longjmp(back, 1);
    if (n > 4)
        longjmp(back, 2);
    return n * n;
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    switch (setjmp(back)) {
    case 0:
        printf("%d\n", root(a + b));
        break;
    case 1:
        puts("negative");
        break;
    default:
        puts(a > b ? "large" : "large, too");
    }
    return argc - 3;
}
