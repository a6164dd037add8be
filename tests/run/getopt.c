// getopt: flags, arguments attached and apart, unknown options, operands, double dash.
// args: -ab -c value -dattached operand -x -c -- -a last
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "abc:d:e::")) != -1) {
        switch (c) {
        case 'a': case 'b': printf("flag %c at %d\n", c, optind); break;
        case 'c': case 'd': printf("option %c %s\n", c, optarg); break;
        case 'e': printf("optional %s\n", optarg ? optarg : "none"); break;
        default: printf("unknown %c %c\n", c, optopt);
        }
    }
    printf("operands from %d:", optind);
    for (int i = optind; i < argc; i++) printf(" %s", argv[i]);
    printf("\n");
    optind = 1, opterr = 0;
    char *second[] = {"prog", "-q", "-c", NULL};
    while ((c = getopt(3, second, ":qc:")) != -1) printf("%c %c\n", c, optopt ? optopt : '-');
    char *posix[] = {"prog", "-a", "stop", "-b", NULL};
    optind = 0;
    while ((c = getopt(4, posix, "+ab")) != -1) printf("%c", c);
    printf(" %d\n", optind);
    char *order[] = {"prog", "-a", "one", "-b", "two", NULL};
    optind = 0;
    while ((c = getopt(5, order, "-ab")) != -1) printf("%d:%s ", c, c == 1 ? optarg : "");
    printf("\n");
    return 0;
}
