// Several translation units: tentative definitions, internal linkage with equal names, headers, extern arrays.
// args: 4
#include <stdio.h>
#include <stdlib.h>
#include "shared.h"

int tentative;
int tentative;
static int hidden = 1;
static int local(void) { return hidden++; }
const char *const title = "main";

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    printf("%d %d\n", local(), other_local());
    printf("%d %d\n", local(), other_local());
    tentative = n;
    printf("%d %d\n", read_tentative(), common);
    for (int i = 0; i < n; i++) push(i * i);
    printf("%d %d\n", stack_size, stack[stack_size - 1]);
    while (stack_size) printf("%d ", pop());
    printf("\n%s %d\n", name(), square(n));
    printf("%d\n", dispatch[1](10));
    printf("%d %d\n", weak_choice(), weak_value);
    return 0;
}
