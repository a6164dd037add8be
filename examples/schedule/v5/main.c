/* Simulates a scheduler that obeys commands on standard input, one to a line. */

#include "commands.h"
#include "scheduler.h"

#include <stdio.h>
#include <string.h>

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
        struct command command;
        const char *trouble = "unknown command";
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0')
            continue;
        if (parse_command(line, &command))
            trouble = obey(&scheduler, &command);
        if (trouble != NULL) {
            printf("line %d: %s\n", number, trouble);
            failed = 1;
        }
    }
    return failed;
}
