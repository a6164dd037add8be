/* options: --all --color --width -q -w -x */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const struct option table[] = {
    {"all", no_argument, NULL, 'a'},
    {"width", required_argument, NULL, 'w'},
    {"color", optional_argument, NULL, 'c'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    int c, width = 0;
    while ((c = getopt_long(argc, argv, ":qw:x::", table, NULL)) != -1)
        if (c == 'w')
            width = atoi(optarg);
    printf("%d\n", width);
    return 0;
}
