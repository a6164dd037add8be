#ifndef COMMANDS_H
#define COMMANDS_H

struct command {
    char letter;
    int count; /* of numbers */
    int numbers[2];
};

/* A letter and up to two numbers of one or two digits, with a space before each. */
int parse_command(const char *text, struct command *command);

#endif
