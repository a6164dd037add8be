#include <stdio.h>
static int twice(int x) {
    return 2 * x; // in
}
static int next(int x) {
    return x + 1; // in
}
static int never(int x) {
    return x - 1; // out
}
int (*unused)(int, int);
int main(int argc, char **argv) {
    int (*f)(int) = argc > 1 ? twice : next;
    int start = 5; // forward from here
    int y = f(start); // in
    printf("%d\n", y); // in
    printf("%d\n", never(3)); // out
    return 0;
}
