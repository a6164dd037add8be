/* The primes below four million by the sieve of Eratosthenes, twice. */
#include <stdio.h>
#include <string.h>

#define LIMIT 4000000

static unsigned char composite[LIMIT];

static int sieve(void) {
    int count = 0;
    memset(composite, 0, sizeof composite);
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (long j = (long)i * i; j < LIMIT; j += i)
            composite[j] = 1;
    }
    return count;
}

int main(void) {
    int total = 0;
    for (int round = 0; round < 2; round++)
        total += sieve();
    printf("%d\n", total);
    return 0;
}
