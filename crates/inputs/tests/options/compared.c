/* options: --all -e -v add list */
#include <stdio.h>
#include <string.h>

/* The text is an argument; this one is none. */
static const char *mode = "fast";

static int is_all(const char *text)
{
    return strcmp(text, "--all") == 0;
}

static int run(char **words)
{
    if (!strcmp("add", words[0]))
        return 1;
    return strncmp(words[0], "list", 4) == 0 ? 2 : 0;
}

int main(int argc, char *argv[])
{
    int all = 0, verbose = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (is_all(word))
            all = 1;
        else if (word[0] == '-' && word[1] == 'v')
            verbose++;
        switch (word[1]) {
        case 'e':
            verbose--;
            break;
        }
    }
    if (!strcmp(mode, "slow"))
        return 3;
    printf("%d %d\n", all, verbose);
    return argc > 1 ? run(argv + 1) : 0;
}
