/* Merges lists of keys and amounts.
 *
 *   merge [-s] [-k] [-m N] [FILE]
 *
 * Standard input, and FILE if it is given, have a key and an amount on each line; a line
 * without an amount counts as 1. Amounts of the same key are added: those of the file
 * first. Prints all keys in the order of their first appearance.
 *
 *   -s     sorted by amount, the largest first
 *   -k     subtracts amounts of standard input from those of the file
 *   -m N   only keys with an amount of at least N
 *
 * In the file, a line `= KEY OTHER` says that KEY on standard input means OTHER. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 40, MAX_KEY = 15, MAX_ALIASES = 8, MAX_AMOUNT = 100000 };

struct entry {
    char key[MAX_KEY + 1];
    long amount;
    int in_file;
};

struct alias {
    char key[MAX_KEY + 1], other[MAX_KEY + 1];
};

static struct entry entries[MAX_ENTRIES];
static struct alias aliases[MAX_ALIASES];
static int count, alias_count;

static _Noreturn void fail(const char *problem)
{
    printf("error: %s\n", problem);
    exit(1);
}

/* Copies a word of a line; gives what is behind it. */
static const char *word(const char *p, char *to)
{
    int length = 0;
    p += strspn(p, " ");
    while (*p != ' ' && *p != '\0') {
        if (length < MAX_KEY)
            to[length++] = *p;
        p++;
    }
    to[length] = '\0';
    return p + strspn(p, " ");
}

static struct entry *entry_of(const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].key, key) == 0)
            return &entries[i];
    if (count == MAX_ENTRIES)
        fail("too many keys");
    strcpy(entries[count].key, key);
    return &entries[count++];
}

static const char *meaning(const char *key)
{
    for (int i = 0; i < alias_count; i++)
        if (strcmp(aliases[i].key, key) == 0)
            return aliases[i].other;
    return key;
}

static long amount_of(const char *p)
{
    char *end;
    if (*p == '\0')
        return 1;
    long amount = strtol(p, &end, 10);
    if (end == p || *end != '\0' || amount < -MAX_AMOUNT || amount > MAX_AMOUNT)
        fail("bad amount");
    return amount;
}

static void read_alias(const char *p)
{
    if (alias_count == MAX_ALIASES)
        fail("too many aliases");
    p = word(p, aliases[alias_count].key);
    word(p, aliases[alias_count].other);
    alias_count++;
}

static void read_list(FILE *in, int is_file, int sign)
{
    char line[64], key[MAX_KEY + 1];

    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ")] == '\0')
            continue;
        const char *rest = word(line, key);
        if (is_file && strcmp(key, "=") == 0) {
            read_alias(rest);
            continue;
        }
        struct entry *entry = entry_of(is_file ? key : meaning(key));
        entry->amount += sign * amount_of(rest);
        if (is_file)
            entry->in_file = 1;
    }
}

static void sort(void)
{
    for (int i = 1; i < count; i++) {
        struct entry moved = entries[i];
        int j = i;
        for (; j > 0 && entries[j - 1].amount < moved.amount; j--)
            entries[j] = entries[j - 1];
        entries[j] = moved;
    }
}

int main(int argc, char **argv)
{
    int is_sorted = 0, sign = 1, has_least = 0;
    long least = 0, total = 0;
    const char *name = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-s") == 0) {
            is_sorted = 1;
        } else if (strcmp(argv[i], "-k") == 0) {
            sign = -1;
        } else if (strcmp(argv[i], "-m") == 0 && i + 1 < argc) {
            has_least = 1;
            least = strtol(argv[++i], NULL, 10);
        } else if (argv[i][0] != '-' && name == NULL) {
            name = argv[i];
        } else {
            puts("usage: merge [-s] [-k] [-m N] [FILE]");
            return 2;
        }
    }
    if (name != NULL) {
        FILE *in = fopen(name, "r");
        if (in == NULL)
            fail("cannot open the file");
        read_list(in, 1, 1);
        fclose(in);
    }
    read_list(stdin, 0, sign);
    if (is_sorted)
        sort();
    for (int i = 0; i < count; i++) {
        if (has_least && entries[i].amount < least)
            continue;
        printf("%s %ld%s\n", entries[i].key, entries[i].amount,
               name == NULL || (entries[i].in_file && entries[i].amount != 0) ? "" : " new");
        total += entries[i].amount;
    }
    printf("total %ld\n", total);
    return 0;
}
