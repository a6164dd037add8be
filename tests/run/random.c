// The sequences of rand, random, drand48 and rand_r.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 5; i++) printf("%d ", rand());
    srand(42);
    printf("| ");
    for (int i = 0; i < 1000; i++) rand();
    for (int i = 0; i < 5; i++) printf("%d ", rand());
    srand(0), printf("| %d ", rand());
    srand(1), printf("%d\n", rand());
    srandom(7);
    for (int i = 0; i < 5; i++) printf("%ld ", random());
    char state[64], *old = initstate(3, state, sizeof state);
    for (int i = 0; i < 4; i++) printf("%ld ", random());
    setstate(old);
    printf("%ld\n", random());
    unsigned seed = 9;
    for (int i = 0; i < 5; i++) printf("%d ", rand_r(&seed));
    printf("%u\n", seed);
    srand48(123);
    for (int i = 0; i < 3; i++) printf("%.17g %ld %ld ", drand48(), lrand48(), mrand48());
    unsigned short x[3] = {1, 2, 3};
    printf("\n%.17g %ld %ld\n", erand48(x), nrand48(x), jrand48(x));
    printf("%d\n", RAND_MAX);
    return 0;
}
