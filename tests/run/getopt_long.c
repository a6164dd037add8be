// getopt_long: long options, abbreviations, arguments, flags, ambiguity, permutation.
// args: --verbose --out=file.txt --out other file1 --lev=3 -v --colour --color=always --unknown --ver --quiet=1 -- --x
#include <getopt.h>
#include <stdio.h>

static int verbose;
static const struct option options[] = {
    {"verbose", no_argument, &verbose, 5}, {"version", no_argument, 0, 'V'}, {"out", required_argument, 0, 'o'},
    {"level", required_argument, 0, 'l'},  {"colour", optional_argument, 0, 'C'}, {"color", optional_argument, 0, 'C'},
    {"quiet", no_argument, 0, 'q'},        {0, 0, 0, 0},
};

int main(int argc, char **argv) {
    int c, which = -1;
    while ((c = getopt_long(argc, argv, "vo:l:", options, &which)) != -1) {
        printf("%d %s %s %d\n", c, which >= 0 ? options[which].name : "-", optarg ? optarg : "-", optind);
        which = -1;
    }
    printf("%d %d:", verbose, optind);
    for (int i = optind; i < argc; i++) printf(" %s", argv[i]);
    printf("\n");
    char *only[] = {"prog", "-out", "x", "-level=4", "rest", NULL};
    optind = 0;
    while ((c = getopt_long_only(5, only, "", options, NULL)) != -1) printf("%c %s\n", c, optarg);
    printf("%s\n", only[optind]);
    return 0;
}
