#include <stdlib.h>

struct pair {
    int first;
    unsigned char second;
};

struct pair *make(int a, unsigned char b) {
    int sum = (int)((unsigned)a + b);
    struct pair *p = calloc(1, sizeof(struct pair));
    p->second = b;
    p->first = (int)((unsigned)sum - p->second);
    return p;
}
