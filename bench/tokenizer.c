/* Splits a made-up program text into tokens, many times, and counts them by kind. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum kind { END, NAME, KEYWORD, NUMBER, STRING, OPERATOR, KINDS };

struct token {
    enum kind kind;
    const char *start;
    int length;
};

static const char *const keywords[] = {"if", "else", "while", "for", "return", "int", "char"};

static char text[1 << 15];

static void make_text(void) {
    static const char *const lines[] = {
        "int main(int argc, char argv) { return argc + 42; }\n",
        "while (counter_1 <= 1000) counter_1 = counter_1 * 3 - offset;\n",
        "if (name == \"quoted string\") else print(name, 0x1F);\n",
        "for (i = 0; i < 10; i = i + 1) total = total + table[i];\n",
    };
    size_t used = 0;
    for (int i = 0;; i++) {
        size_t length = strlen(lines[i % 4]);
        if (used + length + 1 > sizeof text)
            break;
        memcpy(text + used, lines[i % 4], length);
        used += length;
    }
    text[used] = '\0';
}

static int is_keyword(const char *start, int length) {
    for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if ((int)strlen(keywords[i]) == length && strncmp(keywords[i], start, length) == 0)
            return 1;
    return 0;
}

static struct token next(const char **at) {
    const char *p = *at;
    struct token token;
    while (isspace((unsigned char)*p))
        p++;
    token.start = p;
    if (*p == '\0') {
        token.kind = END;
    } else if (isalpha((unsigned char)*p) || *p == '_') {
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        token.kind = is_keyword(token.start, (int)(p - token.start)) ? KEYWORD : NAME;
    } else if (isdigit((unsigned char)*p)) {
        while (isalnum((unsigned char)*p))
            p++;
        token.kind = NUMBER;
    } else if (*p == '"') {
        p++;
        while (*p && *p != '"')
            p++;
        p++;
        token.kind = STRING;
    } else {
        p += p[1] == '=' ? 2 : 1;
        token.kind = OPERATOR;
    }
    token.length = (int)(p - token.start);
    *at = p;
    return token;
}

int main(void) {
    long counts[KINDS] = {0};
    make_text();
    for (int round = 0; round < 60; round++) {
        const char *at = text;
        struct token token;
        do {
            token = next(&at);
            counts[token.kind] += token.length;
        } while (token.kind != END);
    }
    for (int kind = 0; kind < KINDS; kind++)
        printf("%d %ld\n", kind, counts[kind]);
    return 0;
}
