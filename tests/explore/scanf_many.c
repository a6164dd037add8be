// As many integers as there are; the sum of one to three of them is 42 or is not.
// stdin: lines:3xint
// paths: 7
#include <stdio.h>

int main(void) {
    int value, sum = 0, count = 0;
    while (scanf("%d", &value) == 1) {
        sum += value;
        count++;
    }
    if (sum == 42)
        puts("42");
    printf("%d\n", count);
    return 0;
}
