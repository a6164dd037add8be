// not known: the file grows
#include <stdio.h>

int main(void) {
    FILE *file = fopen("log", "w");
    for (;;) {
        fputs("more\n", file);
        fflush(file);
    }
}
