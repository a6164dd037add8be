// An index into structs, read and written through a pointer to one.
// args: int:0..2 int:0..9
// paths: 4
#include <stdio.h>
#include <stdlib.h>

struct item {
    char name;
    int price;
    long stock;
};

static struct item items[3] = {{'a', 3, 0}, {'b', 5, 2}, {'c', 7, 9}};

int main(int argc, char **argv) {
    struct item *item = &items[atoi(argv[1])];
    int wanted = atoi(argv[2]);
    if (item->stock < wanted) {
        puts("too few");
        return 1;
    }
    item->stock -= wanted;
    if (items[1].stock == 0)
        puts("b is sold out");
    else if (items[0].stock + items[2].stock < 9)
        puts("some c are sold");
    else
        puts("nothing is sold");
    return argc - 3;
}
