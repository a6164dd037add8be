#include <stdio.h>
int main(int argc, char **argv) {
    int a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0};
    int i = argc % 4;
    b[1] = 2; // out
    a[1] = 7; // forward from here
    a[2] = 1; // out
    printf("%d\n", a[i]); // in
    printf("%d\n", b[i]); // out
    return 0;
}
