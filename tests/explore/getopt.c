// -a and each of three, -b and an argument of one or of two characters, -x and anything.
// args: choice:-a,-b,-x choice:7,-a,--
// paths: 6
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int a = 0, option;
    const char *b = "none";
    opterr = 0;
    while ((option = getopt(argc, argv, "ab:")) != -1) {
        switch (option) {
        case 'a':
            a++;
            break;
        case 'b':
            b = optarg;
            break;
        default:
            puts("usage");
            return 2;
        }
    }
    printf("%d %s %d\n", a, b, argc - optind);
    return 0;
}
