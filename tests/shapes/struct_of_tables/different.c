#include <stddef.h>

struct command {
    const char *name;
    int (*run)(int);
};

int open_door(int n) { return n; }
int close_door(int n) { return -n; }

static const struct command commands[] = {{"open", open_door}, {"close", open_door}};

const struct command *command(char c) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].name[0] == c) return &commands[i];
    return NULL;
}
