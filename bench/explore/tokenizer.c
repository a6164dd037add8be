/* Counts tokens of a small language: a state machine over four bytes. */
#include <stdio.h>

enum state { START, NAME, NUMBER, STRING, ESCAPE, OPERATOR };

static int is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c) {
    return c >= '0' && c <= '9';
}

int main(int argc, char **argv) {
    enum state state = START;
    int tokens = 0;
    int errors = 0;
    if (argc < 2)
        return 2;
    for (const char *p = argv[1];; p++) {
        int c = *p;
        switch (state) {
        case NAME:
            if (is_letter(c) || is_digit(c))
                continue;
            state = START;
            break;
        case NUMBER:
            if (is_digit(c))
                continue;
            if (is_letter(c))
                errors++;
            state = START;
            break;
        case STRING:
            if (c == '\\') {
                state = ESCAPE;
                continue;
            }
            if (c == '"') {
                state = START;
                continue;
            }
            if (c == 0) {
                errors++;
                break;
            }
            continue;
        case ESCAPE:
            state = STRING;
            if (c == 0)
                return 1;
            continue;
        case OPERATOR:
            state = START;
            if (c == '=')
                continue;
            break;
        case START:
            break;
        }
        if (c == 0)
            break;
        if (c == ' ')
            continue;
        tokens++;
        if (is_letter(c))
            state = NAME;
        else if (is_digit(c))
            state = NUMBER;
        else if (c == '"')
            state = STRING;
        else if (c == '<' || c == '=')
            state = OPERATOR;
        else if (c != '(' && c != ')' && c != ';')
            errors++;
    }
    printf("%d tokens, %d errors\n", tokens, errors);
    return 0;
}
