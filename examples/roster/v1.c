/* A list of people, and how some of them leave.
 *
 *   roster NAME... -- LEAVING...
 *
 * Prints those who stay. The loop in `leave` is wrong on purpose: it asks a
 * freed entry for the next one. Natively that goes unnoticed more often than not. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char name[16];
    struct entry *next;
};

static struct entry *enter(struct entry *rest, const char *name)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        exit(2);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->next = rest;
    return entry;
}

static void leave(struct entry **list, const char *name)
{
    struct entry **link = list;
    for (struct entry *entry = *list; entry; entry = entry->next) {
        if (strcmp(entry->name, name) == 0) {
            *link = entry->next;
            free(entry);
        } else {
            link = &entry->next;
        }
    }
}

int main(int argc, char **argv)
{
    struct entry *list = NULL;
    int i;
    for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        list = enter(list, argv[i]);
    for (i++; i < argc; i++)
        leave(&list, argv[i]);
    for (struct entry *entry = list; entry; entry = entry->next)
        puts(entry->name);
    return 0;
}
