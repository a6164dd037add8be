// entry: show
#include <stdio.h>

void show(int value) {
    if (value < 0)
        printf("none\n");
    else
        printf("value\n");
}
