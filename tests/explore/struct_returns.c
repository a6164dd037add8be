// Structs that are returned, copied and compared.
// args: int:-9..9 int:-9..9
// paths: 5
#include <stdio.h>
#include <stdlib.h>

struct pair { int low, high; };
struct trace { struct pair pairs[3]; double weight; };

static struct pair ordered(int a, int b) {
    if (a <= b)
        return (struct pair){a, b};
    return (struct pair){.low = b, .high = a};
}

static struct trace make(struct pair pair) {
    struct trace trace = {.pairs = {pair, {0, 0}, pair}, .weight = pair.low};
    return trace;
}

int main(int argc, char **argv) {
    struct trace trace = make(ordered(atoi(argv[1]), atoi(argv[2])));
    struct trace copy = trace;
    struct pair *last = &copy.pairs[2];
    if (last->high - last->low == 18 || copy.weight > 8)
        puts("extreme");
    else
        puts("usual");
    return argc - 3;
}
