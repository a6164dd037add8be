// A loop with a break and a continue that depend on different inputs: breaks are tried in
// even rounds or in odd ones, in two of them each, or never.
// args: int:1..4 int:0..1
// paths: 6
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int stop = atoi(argv[1]), odd = atoi(argv[2]);
    int rounds = 0, skipped = 0;
    do {
        rounds++;
        if (((rounds + odd) & 1) != 0) {
            skipped++;
            continue;
        }
        if (rounds == stop)
            break;
    } while (rounds < 4);
    printf("%d %d\n", rounds, skipped);
    return argc - 3;
}
