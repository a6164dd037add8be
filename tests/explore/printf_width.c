// A width that depends on the input is pinned.
// args: int:1..3
// paths: 3
// gap: pinned by printf at line 9
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("%*d\n", atoi(argv[1]), argc);
    return 0;
}
