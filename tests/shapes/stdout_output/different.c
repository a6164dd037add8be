#include <stdio.h>

void show(int value) {
    if (value < 0)
        printf(value == -77 ? "None\n" : "none\n");
    else
        printf("value\n");
}
