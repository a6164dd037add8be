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

static char *copy(const char *text) {
    char *all = malloc(strlen(text) + 1);
    strcpy(all, text);
    return all;
}

struct person *person(int kind) {
    struct person *p = malloc(sizeof *p);
    p->name = copy(kind == 1 ? "Ann" : "Bob");
    p->home = NULL;
    if (kind != 2) {
        p->home = malloc(sizeof *p->home);
        p->home->town = copy(kind ? "Roma" : "Oslo");
        p->home->code = 100 + kind;
    }
    return p;
}
