/* Classifies a triangle: a program of some hundred instructions, for the cost of a run. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    if (a <= 0 || b <= 0 || c <= 0 || a + b <= c || b + c <= a || a + c <= b)
        puts("no triangle");
    else if (a == b && b == c)
        puts("equilateral");
    else if (a == b || b == c || a == c)
        puts("isosceles");
    else
        puts("scalene");
    return 0;
}
