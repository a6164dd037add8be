// Characters are signed; conversions cut and extend.
// args: str:=2
// paths: 4
#include <stdio.h>

int main(int argc, char **argv) {
    char first = argv[1][0];
    unsigned char second = argv[1][1];
    if (first < 0)
        puts("negative");
    else if ((char)(first + second) == (char)200)
        puts("200");
    else if (second > 'z')
        puts("high");
    else
        puts("other");
    return argc - 2;
}
