#include <stdio.h>
static int depth(int n, int step) {
    if (n <= 0) // in
        return 0; // in
    return 1 + depth(n - step, step); // in
}
int main(int argc, char **argv) {
    int n = 10; // in
    int unused = argc; // out
    int step = argc; // in
    int d = depth(n, step); // in
    printf("%d\n", unused); // out
    printf("%d\n", d); // backward from here
    return 0; // out
}
