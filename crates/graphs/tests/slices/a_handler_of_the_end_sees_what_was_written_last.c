#include <stdio.h>
#include <stdlib.h>
static int state;
static int other;
static void report(void) {
    printf("%d\n", state); // in
    printf("%d\n", other); // out
}
int main(int argc, char **argv) {
    atexit(report);
    other = 7;
    state = argc; // forward from here
    return 0;
}
