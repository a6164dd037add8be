#include <stdio.h>
struct big { int a, b, c[6]; };
static int first(struct big s) {
    s.b = 4; // out
    return s.a; // in
}
int main(int argc, char **argv) {
    struct big s;
    s.b = 2; // out
    s.a = argc; // forward from here
    int x = first(s); // in
    printf("%d\n", x); // in
    printf("%d\n", s.b); // out
    return 0;
}
