// Two switches; the inner one is met on one way of the outer only.
// args: int:0..9 int:0..9
// paths: 6
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned char a = atoi(argv[1]);
    long b = atol(argv[2]);
    const char *name = "none";
    switch (a) {
    case 0:
        name = "zero";
        break;
    case 5:
        switch (b) {
        case 1: case 3: case 5: case 7: case 9:
            name = "odd";
            break;
        case 4:
            name = "four";
            break;
        case 8:
            goto end;
        default:
            name = "even";
        }
        break;
    }
end:
    puts(name);
    return argc - 3;
}
