#include <stdio.h>
int main(int argc, char **argv) {
    int limit = argc; // forward from here
    int sum = 0; // out
    int steps = 3; // out
    for (int i = 0; i < 10; i++) { // in
        if (i > limit) // in
            break; // in
        sum += i; // in
    }
    printf("%d\n", sum); // in
    printf("%d\n", steps); // out
    return 0; // out
}
