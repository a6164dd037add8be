// A string of up to four bytes has one of five lengths.
// args: str:4
// paths: 5
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    printf("%zu\n", strlen(argv[1]));
    return argc - 2;
}
