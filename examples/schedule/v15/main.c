/* Simulates a scheduler that obeys commands on standard input, one to a line. */

#include "scheduler.h"

#include <stdio.h>
#include <string.h>

struct command {
    char letter;
    int count; /* of numbers */
    int numbers[2];
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A letter and up to two numbers of one or two digits, with a space before each. */
static int parse(const char *text, struct command *command)
{
    command->letter = *text++;
    command->count = 0;
    while (*text != '\0') {
        int number;
        if (command->count == 2 || text[0] != ' ' || !is_digit(text[1]))
            return 0;
        number = text[1] - '0';
        text += 2;
        if (is_digit(*text))
            number = 10 * number + *text++ - '0';
        command->numbers[command->count++] = number;
    }
    return 1;
}

static const char *check(int done)
{
    return done ? NULL : "not possible for this job";
}

/* Returns what is wrong, or null. */
static const char *obey(struct scheduler *s, const struct command *c)
{
    int first = c->numbers[0];
    int second = c->numbers[1];
    if (c->letter == 'a' && c->count == 2 && first <= TOP && second > 0)
        return add_job(s, first, second) > 0 ? NULL : "too many jobs";
    if (c->letter == 'p' && c->count == 2 && second <= TOP)
        return check(set_priority(s, first, second));
    if (c->letter == 'w' && c->count == 1)
        return check(wait_job(s, first));
    if (c->letter == 'k' && c->count == 1)
        return check(wake_job(s, first));
    if (c->letter == 'd' && c->count == 1)
        return check(drop_job(s, first));
    if (c->letter == 'r' && c->count == 1)
        run(s, first);
    else if (c->letter == 's' && c->count == 0)
        show(s);
    else
        return "unknown command";
    return NULL;
}

int main(void)
{
    static struct scheduler scheduler;
    char line[80];
    int failed = 0;
    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        struct command command = {0, 0, {0, 0}};
        const char *trouble;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0')
            continue;
        trouble = parse(line, &command) ? obey(&scheduler, &command) : "unknown command";
        if (trouble != NULL) {
            printf("line %d: %s\n", number, trouble);
            failed = 1;
        }
    }
    return failed;
}
