/* Splits standard input into the tokens of a small language, one a line, each with the
 * number of its line.
 *
 * There are names, numbers, operators, string literals with escapes, and two sorts of
 * comments: from two slashes to the end of the line, where a backslash in front of the
 * line's end continues the comment, and between slash-star and star-slash. Neighbouring
 * string literals are one. A string has at most 24 characters. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 2000, MAX_NAME = 31, MAX_STRING = 24 };

static char source[MAX_SOURCE + 1];
static int at, line = 1;

static const char *const operators[] = {">>=", "<<=", "...", "->", "++", "--", "<<", ">>", "<=",
                                        ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/="};

static _Noreturn void fail(const char *problem)
{
    printf("%d: error: %s\n", line, problem);
    exit(1);
}

static int peek(int distance)
{
    for (int i = 0; i < distance; i++)
        if (source[at + i] == '\0')
            return 0;
    return (unsigned char)source[at + distance];
}

static void advance(void)
{
    if (source[at] == '\n')
        line++;
    at++;
}

static void skip_line_comment(void)
{
    while (peek(0) != '\0' && peek(0) != '\n') {
        if (peek(0) == '\\' && peek(1) == '\n')
            advance();
        advance();
    }
}

static void skip_block_comment(void)
{
    advance();
    advance();
    while (peek(0) != '*' || peek(1) != '/') {
        if (peek(0) == '\0')
            fail("a comment has no end");
        advance();
    }
    advance();
    advance();
}

/* Skips white space and comments. */
static void skip_space(void)
{
    for (;;) {
        if (peek(0) != '\0' && isspace(peek(0)))
            advance();
        else if (peek(0) == '/' && peek(1) == '/')
            skip_line_comment();
        else if (peek(0) == '/' && peek(1) == '*')
            skip_block_comment();
        else
            return;
    }
}

/* An escape of a string behind its backslash. */
static int escape(void)
{
    int c = peek(0);
    if (c >= '0' && c <= '7') {
        int value = 0;
        for (int i = 0; i < 3 && peek(0) >= '0' && peek(0) <= '7'; i++) {
            value = value * 8 + peek(0) - '0';
            advance();
        }
        return value & 255;
    }
    if (c == '\0' || c == '\n')
        fail("a string has no end");
    advance();
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case '0': return '\0';
    case '\\': return '\\';
    case '"': return '"';
    default: fail("unknown escape");
    }
}

/* Appends the characters of one literal; gives the length so far. */
static int literal(char *text, int length)
{
    advance();
    while (peek(0) != '"') {
        int c = peek(0);
        if (c == '\0' || c == '\n')
            fail("a string has no end");
        advance();
        if (c == '\\')
            c = escape();
        if (length == MAX_STRING)
            fail("a string is too long");
        text[length++] = (char)c;
    }
    advance();
    return length;
}

static void string(void)
{
    char text[MAX_STRING];
    int begin = line, length = literal(text, 0);

    for (skip_space(); peek(0) == '"'; skip_space())
        length = literal(text, length);
    printf("%d: string of %d:", begin, length);
    for (int i = 0; i < length; i++)
        printf(isprint((unsigned char)text[i]) ? " %c" : " %03o", (unsigned char)text[i]);
    putchar('\n');
}

static void name(void)
{
    char text[MAX_NAME + 1];
    int length = 0;
    while (isalnum(peek(0)) || peek(0) == '_') {
        if (length < MAX_NAME)
            text[length++] = (char)peek(0);
        advance();
    }
    text[length] = '\0';
    printf("%d: name %s\n", line, text);
}

/* Digits, a fraction, and an exponent with or without a sign. */
static void number(void)
{
    int begin = at, is_real = 0;
    while (isdigit(peek(0)))
        advance();
    if (peek(0) == '.' && isdigit(peek(1))) {
        is_real = 1;
        advance();
        while (isdigit(peek(0)))
            advance();
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
        int sign = peek(1) == '-';
        if (isdigit(peek(1 + sign))) {
            is_real = 1;
            for (int i = 0; i < 1 + sign; i++)
                advance();
            while (isdigit(peek(0)))
                advance();
        }
    }
    printf("%d: %s %.*s\n", line, is_real ? "real" : "integer", at - begin, source + begin);
}

static void operator(void)
{
    int length = 1;
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (strncmp(source + at, operators[i], strlen(operators[i])) == 0) {
            length = (int)strlen(operators[i]);
            break;
        }
    }
    if (length == 1 && strchr("+-*/%<>=!&|^~?:;,.(){}[]", peek(0)) == NULL)
        fail("unknown character");
    printf("%d: operator %.*s\n", line, length, source + at);
    at += length;
}

int main(void)
{
    int tokens = 0;

    source[fread(source, 1, MAX_SOURCE, stdin)] = '\0';
    for (skip_space(); peek(0) != '\0'; skip_space()) {
        tokens++;
        if (isalpha(peek(0)) || peek(0) == '_')
            name();
        else if (isdigit(peek(0)))
            number();
        else if (peek(0) == '"')
            string();
        else
            operator();
    }
    printf("%d tokens, %d lines\n", tokens, line);
    return 0;
}
