#include <stdlib.h>
#include <string.h>

struct address {
    char *town;
    int code;
};

struct person {
    char *name;
    struct address *home;
};

static const char *const names[] = {"Bob", "Ann", "Bob"};
static const char *const towns[] = {"Oslo", "Rome", 0};

static struct address *at(int kind) {
    if (!towns[kind]) return NULL;
    struct address *home = calloc(1, sizeof *home);
    home->code = kind + 100;
    home->town = strdup(towns[kind]);
    return home;
}

struct person *person(int kind) {
    struct address *home = at(kind);
    struct person *p = malloc(sizeof *p);
    p->home = home;
    p->name = strdup(names[kind]);
    return p;
}
