#include <stdio.h>
#include <stdlib.h>
static int price(int grams) {
    int cents = 100;
    if (grams >= 50)
        cents = 200;
    return cents;
}
int main(int argc, char **argv) {
    if (argc > 1)
        printf("%d cents\n", price(atoi(argv[1])));
    return 0;
}
