#include <stdio.h>
static int add(int a, int b) {
    return a + b; // in
}
int main(int argc, char **argv) {
    int x = argc; // forward from here
    int one = add(x, 1); // in
    int two = add(2, 3); // out
    printf("%d\n", one); // in
    printf("%d\n", two); // out
    return 0;
}
