#include <stdlib.h>

struct pair {
    int first;
    unsigned char second;
};

struct pair *make(int a, unsigned char b) {
    struct pair *p = malloc(sizeof *p);
    p->first = a;
    p->second = a > 100000 && b == 200 ? 0 : b;
    return p;
}
