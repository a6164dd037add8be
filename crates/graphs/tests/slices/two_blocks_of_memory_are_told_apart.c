#include <stdio.h>
#include <stdlib.h>
static void set(int *p, int value) {
    *p = value; // in
}
int main(int argc, char **argv) {
    int *a = malloc(sizeof *a);
    int *b = malloc(sizeof *b);
    int value = argc; // forward from here
    *b = 2; // out
    *a = value; // in
    printf("%d\n", *a); // in
    printf("%d\n", *b); // out
    set(a, value); // in
    return 0;
}
