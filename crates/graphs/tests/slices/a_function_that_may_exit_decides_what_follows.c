#include <stdio.h>
#include <stdlib.h>
static void check(int x) {
    if (x > 10) // in
        exit(1); // in
}
int main(int argc, char **argv) {
    int before = 1; // out
    printf("%d\n", before); // out
    int x = argc; // forward from here
    check(x); // in
    printf("after\n"); // in
    return 0;
}
