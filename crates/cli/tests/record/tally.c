/* Sums or counts numbers in files: a small program with most of what tests of tools need. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *me;
static int counting;
static FILE *out;

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s: %s\n", me, name, what);
    return 1;
}

static int tally(FILE *in, const char *name)
{
    char line[256];
    long sum = 0, lines = 0;
    while (fgets(line, sizeof line, in)) {
        char *end;
        long value = strtol(line, &end, 10);
        if (end == line && !counting)
            return fail("not a number", name);
        sum += value;
        lines++;
    }
    fprintf(out, "%s: %ld\n", name, counting ? lines : sum);
    return 0;
}

static int tally_file(const char *name)
{
    FILE *in = fopen(name, "r");
    if (!in)
        return fail("cannot open", name);
    int failed = tally(in, name);
    fclose(in);
    return failed;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static int tally_directory(const char *directory)
{
    char *names[64], path[512];
    int count = 0, failed = 0;
    DIR *open = opendir(directory);
    if (!open)
        return fail("no directory", directory);
    for (struct dirent *entry; (entry = readdir(open)) && count < 64;)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    closedir(open);
    qsort(names, count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
            failed |= tally_file(path);
    }
    return failed;
}

static void read_settings(void)
{
    char word[32];
    FILE *in = fopen("conf/tally.conf", "r");
    if (!in)
        return;
    if (fscanf(in, "%31s", word) == 1 && strcmp(word, "count") == 0)
        counting = 1;
    fclose(in);
}

int main(int argc, char **argv)
{
    int option, failed = 0, directories = 0;
    const char *mode = getenv("TALLY_MODE");
    me = argv[0];
    out = stdout;
    read_settings();
    if (mode && strcmp(mode, "count") == 0)
        counting = 1;
    while ((option = getopt(argc, argv, "cdo:xSE")) != -1)
        switch (option) {
        case 'c': counting = 1; break;
        case 'd': directories = 1; break;
        case 'o':
            if (!(out = fopen(optarg, "w")))
                return fail("cannot write", optarg);
            break;
        case 'x': fputs("about to crash\n", stderr); abort();
        case 'S': *(volatile int *)0 = 1; break;
        case 'E': execlp("echo", "echo", "other", (char *)0); return 9;
        default: return 2;
        }
    if (optind == argc)
        failed = tally(stdin, "-");
    for (; optind < argc; optind++)
        failed |= directories ? tally_directory(argv[optind]) : tally_file(argv[optind]);
    return failed;
}
