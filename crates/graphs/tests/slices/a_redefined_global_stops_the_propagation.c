#include <stdio.h>
static int g;
static void show(void) {
    printf("%d\n", g); // in
}
static void last(void) {
    printf("last %d\n", g); // out
}
int main(int argc, char **argv) {
    g = argc; // forward from here
    show(); // in
    g = 3; // out
    last(); // out
    return g; // out
}
