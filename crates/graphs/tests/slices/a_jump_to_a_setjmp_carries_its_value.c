#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static void deep(int x) {
    if (x > 2) // in
        longjmp(place, x); // in
}
int main(int argc, char **argv) {
    int early = 1; // out
    printf("%d\n", early); // out
    int code = setjmp(place); // in
    if (code == 0) { // in
        int x = argc; // forward from here
        deep(x); // in
        printf("came back\n"); // in
    } else {
        printf("jumped with %d\n", code); // in
    }
    return 0;
}
