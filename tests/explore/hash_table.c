// Five words, three of them in a table: each takes its own way through it.
// args: choice:one,two,three,four,neo
// paths: 5
#include <stdio.h>
#include <string.h>

struct entry {
    const char *name;
    int value;
};

static struct entry table[8];

static unsigned hash(const char *text) {
    unsigned value = 5;
    while (*text)
        value = value * 31 + (unsigned char)*text++;
    return value % 8;
}

static struct entry *place(const char *name) {
    unsigned at = hash(name);
    while (table[at].name && strcmp(table[at].name, name) != 0)
        at = (at + 1) % 8;
    return &table[at];
}

int main(int argc, char **argv) {
    static const char *const words[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        struct entry *entry = place(words[i]);
        entry->name = words[i];
        entry->value = i + 1;
    }
    struct entry *found = place(argv[1]);
    if (found->name)
        printf("%d\n", found->value);
    else
        puts("unknown");
    return argc - 2;
}
