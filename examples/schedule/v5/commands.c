/* The text form of a command. */

#include "commands.h"

#include <ctype.h>
#include <string.h>

/* Reads a number and returns what follows it, or null. */
static const char *parse_number(const char *text, int *number)
{
    *number = 0;
    for (int digits = 0; digits < 2; digits++) {
        if (!isdigit((unsigned char)text[digits]))
            return digits > 0 ? text + digits : NULL;
        *number = 10 * *number + (text[digits] - '0');
    }
    return text + 2;
}

int parse_command(const char *text, struct command *command)
{
    memset(command, 0, sizeof *command);
    command->letter = *text++;
    for (; *text != '\0'; command->count++) {
        if (command->count == 2 || *text != ' ')
            return 0;
        text = parse_number(text + 1, &command->numbers[command->count]);
        if (text == NULL)
            return 0;
    }
    return 1;
}
