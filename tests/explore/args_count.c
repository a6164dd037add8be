// No argument, or one to three of which each begins with a dash or does not.
// args-max: 3
// paths: 15
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        puts("usage");
        return 2;
    }
    if (argc == 3)
        puts("two");
    int dashes = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            dashes++;
    printf("%d\n", dashes);
    return 0;
}
