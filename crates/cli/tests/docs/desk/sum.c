#include <stdio.h>
int main(void) {
    int n = 0;
    int total = 0;
    int largest = 0;
    while (scanf("%d", &n) == 1) {
        if (n > largest)
            largest = n;
        total += n;
    }
    printf("largest %d\n", largest);
    printf("total %d\n", total);
    return 0;
}
