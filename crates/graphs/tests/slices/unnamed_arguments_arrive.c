#include <stdarg.h>
#include <stdio.h>
static int sum(int count, ...) {
    va_list list;
    int total = 0; // out
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int); // in
    va_end(list);
    return total; // in
}
int main(int argc, char **argv) {
    int x = argc; // forward from here
    int total = sum(2, 1, x); // in
    printf("%d\n", total); // in
    int constant = sum(2, 1, 2); // out
    printf("%d\n", constant); // out
    return 0;
}
