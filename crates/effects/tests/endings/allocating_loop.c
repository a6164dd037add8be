// never ends
#include <stdlib.h>
#include <string.h>

static int work(int x) {
    int parts[3] = {x, 2, 3};
    char *copy = malloc(8), *other = malloc(4);
    strcpy(copy, "abc");
    int sum = parts[x & 1] + copy[0];
    free(other);
    free(copy);
    return sum;
}

int main(void) {
    int sum = 0;
    while (sum != 1)
        sum = work(7);
    return 0;
}
