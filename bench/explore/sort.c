/* Insertion sort of six integers. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 6

int main(int argc, char **argv) {
    int values[COUNT];
    if (argc != COUNT + 1)
        return 2;
    for (int i = 0; i < COUNT; i++)
        values[i] = atoi(argv[i + 1]);
    for (int i = 1; i < COUNT; i++) {
        int value = values[i];
        int j = i;
        while (j > 0 && values[j - 1] > value) {
            values[j] = values[j - 1];
            j--;
        }
        values[j] = value;
    }
    for (int i = 0; i < COUNT; i++)
        printf("%d\n", values[i]);
    return 0;
}
