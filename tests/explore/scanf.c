// Two integers, one to a line: what a declared integer is, scanf reads as a whole.
// stdin: lines:=2xint
// paths: 3
#include <stdio.h>

int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    if (a < b)
        puts("less");
    else if (a - b == 1000)
        puts("a thousand more");
    else
        puts("not less");
    return 0;
}
