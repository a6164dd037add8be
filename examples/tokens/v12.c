/* Splits a program text on standard input into tokens, one to a line:
 * where it begins (line and column), its kind, and its text.
 *
 * Names do not depend on upper and lower case. Comments run from # to the end
 * of the line, or stand between (* and *), where they may nest. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 4095, MAX_NAME = 16, TAB = 8 };

static const unsigned long max_number = 2147483647;

enum kind { END, NAME, KEYWORD, INTEGER, DECIMAL, STRING, OPERATOR, ERROR };

struct token {
    enum kind kind;
    char name[MAX_NAME + 1]; /* in lower case */
    int line;
    int column;
    const char *start;
    int length;
    unsigned long value;
    const char *message;
};

struct scanner {
    const char *next;
    int line;
    int column;
};

static const char *const keywords[] = {"do", "else", "end", "if", "in", "return", "while"};

static int is_name_character(int c)
{
    return isalnum(c) || c == '_';
}

static void advance(struct scanner *s)
{
    if (*s->next == '\n') {
        s->line++;
        s->column = 1;
    } else if (*s->next == '\t') {
        s->column = ((s->column - 1) / TAB + 1) * TAB + 1;
    } else {
        s->column++;
    }
    s->next++;
}

static void advance_by(struct scanner *s, int count)
{
    while (count-- > 0)
        advance(s);
}

static int looking_at(const struct scanner *s, const char *text)
{
    return strncmp(s->next, text, strlen(text)) == 0;
}

/* Returns whether the comment ends. */
static int skip_comment(struct scanner *s)
{
    int depth = 0;
    while (*s->next != '\0') {
        char c = *s->next;
        advance(s);
        if (*s->next == '\0')
            break;
        if (c == '(' && *s->next == '*') {
            depth++;
            advance(s);
        } else if (c == '*') {
            if (*s->next == ')' && --depth == 0) {
                advance(s);
                return 1;
            }
            advance(s);
        }
    }
    return 0;
}

static int skip_blanks(struct scanner *s)
{
    for (;;) {
        if (isspace((unsigned char)*s->next)) {
            advance(s);
        } else if (*s->next == '#') {
            while (*s->next != '\0' && *s->next != '\n')
                advance(s);
        } else if (looking_at(s, "(*")) {
            if (!skip_comment(s))
                return 0;
        } else {
            return 1;
        }
    }
}

static void fail(struct token *token, const char *message)
{
    token->kind = ERROR;
    token->message = message;
}

static int is_keyword(const struct token *token)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(token->name, keywords[i]) == 0)
            return 1;
    return 0;
}

static void scan_name(struct scanner *s, struct token *token)
{
    int length = 0;
    for (; is_name_character((unsigned char)*s->next); length++) {
        if (length < MAX_NAME)
            token->name[length] = (char)tolower((unsigned char)*s->next);
        advance(s);
    }
    if (length > MAX_NAME)
        fail(token, "name too long");
    else
        token->kind = is_keyword(token) ? KEYWORD : NAME;
}

static int digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isxdigit((unsigned char)c) ? tolower(c) - 'a' + 10 : 99;
}

/* Returns the number of digits. */
static int scan_digits(struct scanner *s, struct token *token, int base)
{
    int count = 0;
    for (; digit_value(*s->next) < base; count++) {
        unsigned long digit = (unsigned long)digit_value(*s->next);
        if (token->value > (max_number - digit) / (unsigned long)base)
            fail(token, "number too large");
        else
            token->value = token->value * (unsigned long)base + digit;
        advance(s);
    }
    return count;
}

static void scan_number(struct scanner *s, struct token *token)
{
    token->kind = INTEGER;
    if (looking_at(s, "0x")) {
        advance_by(s, 2);
        if (scan_digits(s, token, 16) == 0)
            fail(token, "digits expected");
        return;
    }
    scan_digits(s, token, 10);
    if (*s->next == '.' && isdigit((unsigned char)s->next[1])) {
        if (token->kind == INTEGER)
            token->kind = DECIMAL;
        advance(s);
        while (isdigit((unsigned char)*s->next))
            advance(s);
    }
}

static void scan_string(struct scanner *s, struct token *token)
{
    token->kind = STRING;
    advance(s);
    while (*s->next != '"') {
        if (*s->next == '\\' && s->next[1] != '\n' && s->next[1] != '\0')
            advance(s);
        if (*s->next == '\n' || *s->next == '\0') {
            fail(token, "string not closed");
            return;
        }
        advance(s);
    }
    advance(s);
}

static int operator_length(const char *p)
{
    switch (p[0]) {
    case '+': case '*': case '/': case '%': case '(': case ')':
    case '[': case ']': case '{': case '}': case ';': case ',':
        return 1;
    case '-': return p[1] == '>' ? 2 : 1;
    case '=': case '!': return p[1] == '=' ? 2 : 1;
    case '<': case '>': return p[1] == '=' || p[1] == p[0] ? 2 : 1;
    case '.': case '&': case '|': return p[1] == p[0] ? 2 : 1;
    default: return 0;
    }
}

static struct token scan(struct scanner *s)
{
    struct token token;
    int closed = skip_blanks(s);
    memset(&token, 0, sizeof token);
    token.line = s->line;
    token.column = s->column;
    token.start = s->next;
    if (!closed) {
        fail(&token, "comment not closed");
    } else if (*s->next == '\0') {
        token.kind = END;
    } else if (isdigit((unsigned char)*s->next)) {
        scan_number(s, &token);
    } else if (is_name_character((unsigned char)*s->next)) {
        scan_name(s, &token);
    } else if (*s->next == '"') {
        scan_string(s, &token);
    } else if (operator_length(s->next) > 0) {
        token.kind = OPERATOR;
        advance_by(s, operator_length(s->next));
    } else {
        fail(&token, "unknown character");
        advance(s);
    }
    token.length = (int)(s->next - token.start);
    return token;
}

static void print(const struct token *token)
{
    printf("%d:%d ", token->line, token->column);
    switch (token->kind) {
    case END: printf("end of text\n"); break;
    case NAME: printf("name %s\n", token->name); break;
    case KEYWORD: printf("keyword %s\n", token->name); break;
    case INTEGER: printf("integer %lu\n", token->value); break;
    case DECIMAL: printf("decimal %.*s\n", token->length, token->start); break;
    case STRING: printf("string %.*s\n", token->length, token->start); break;
    case OPERATOR: printf("operator %.*s\n", token->length, token->start); break;
    case ERROR: printf("error: %s\n", token->message); break;
    }
}

int main(void)
{
    static char text[MAX_TEXT + 1];
    struct scanner scanner = {text, 1, 1};
    struct token token;
    int errors = 0;
    text[fread(text, 1, MAX_TEXT, stdin)] = '\0';
    do {
        token = scan(&scanner);
        print(&token);
        errors += token.kind == ERROR;
    } while (token.kind != END);
    return errors > 0;
}
