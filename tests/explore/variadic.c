// Values that travel through a variable argument list.
// args: int int
// paths: 4
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int largest(int count, ...) {
    va_list list;
    va_start(list, count);
    int most = va_arg(list, int);
    for (int i = 1; i < count; i++) {
        int next = va_arg(list, int);
        if (next > most)
            most = next;
    }
    va_end(list);
    return most;
}

static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    report("%d of %d and %d\n", largest(3, a, 10, b), a, b);
    return argc - 3;
}
