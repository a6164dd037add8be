// A tokenizer and recursive-descent calculator with variables, functions and errors.
// stdin: 1 + 2 * 3
// stdin: (1 + 2) * -3 ^ 2
// stdin: x = 7 / 2
// stdin: y = x * x - sqrt(16)
// stdin: x + y % 3
// stdin: max(3, min(9, 5)) * 1e2
// stdin: 2 ^ 3 ^ 2
// stdin: 10 / (5 - 5)
// stdin: (1 + 
// stdin: 3 $ 4
// stdin: undefined + 1
// stdin: sqrt(1, 2)
// stdin: abs(-4.25) == 4.25
// stdin: 1 < 2 && 3 >= 4 || !0
// stdin: a = b = 5
// stdin: a * b
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token { NUMBER, NAME, END, EQ = 256, NE, LE, GE, AND, OR };
static const char *text, *start;
static int token;
static double number;
static char name[32];
static jmp_buf failed;
static char message[80];

static struct variable { char name[32]; double value; struct variable *next; } *variables;

static void fail(const char *what) {
    snprintf(message, sizeof message, "%s at column %d", what, (int)(start - text) + 1);
    longjmp(failed, 1);
}

static const char *at;
static void advance(void) {
    while (isspace((unsigned char)*at)) at++;
    start = at;
    if (!*at) { token = END; return; }
    if (isdigit((unsigned char)*at) || *at == '.') {
        char *end;
        number = strtod(at, &end);
        at = end, token = NUMBER;
        return;
    }
    if (isalpha((unsigned char)*at)) {
        int n = 0;
        while (isalnum((unsigned char)*at) && n < 31) name[n++] = *at++;
        name[n] = 0, token = NAME;
        return;
    }
    static const struct { char s[3]; int t; } pairs[] = {{"==", EQ}, {"!=", NE}, {"<=", LE}, {">=", GE}, {"&&", AND}, {"||", OR}};
    for (int i = 0; i < 6; i++)
        if (!strncmp(at, pairs[i].s, 2)) { at += 2, token = pairs[i].t; return; }
    if (!strchr("+-*/%^()=<>!,", *at)) fail("unexpected character");
    token = *at++;
}

static struct variable *lookup(const char *n) {
    for (struct variable *v = variables; v; v = v->next)
        if (!strcmp(v->name, n)) return v;
    return NULL;
}

static double expression(void);
static void expect(int t) {
    if (token != t) fail("unexpected token");
    advance();
}

static double two_max(double a, double b) { return a > b ? a : b; }
static double two_min(double a, double b) { return a < b ? a : b; }
static const struct { const char *name; int arity; double (*one)(double); double (*two)(double, double); } functions[] = {
    {"sqrt", 1, sqrt, 0}, {"abs", 1, fabs, 0}, {"max", 2, 0, two_max}, {"min", 2, 0, two_min}};

static double call(const char *n) {
    double args[4];
    int count = 0;
    expect('(');
    while (token != ')') {
        if (count == 4) fail("too many arguments");
        args[count++] = expression();
        if (token == ',') advance();
    }
    advance();
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, n)) continue;
        if (count != functions[i].arity) fail("wrong number of arguments");
        return count == 1 ? functions[i].one(args[0]) : functions[i].two(args[0], args[1]);
    }
    fail("unknown function");
    return 0;
}

static double primary(void) {
    if (token == NUMBER) { double v = number; advance(); return v; }
    if (token == '(') { advance(); double v = expression(); expect(')'); return v; }
    if (token == NAME) {
        char n[32];
        strcpy(n, name);
        advance();
        if (token == '(') return call(n);
        if (token == '=') {
            advance();
            double v = expression();
            struct variable *var = lookup(n);
            if (!var) {
                var = malloc(sizeof *var);
                strcpy(var->name, n), var->next = variables, variables = var;
            }
            return var->value = v;
        }
        struct variable *var = lookup(n);
        if (!var) fail("unknown variable");
        return var->value;
    }
    fail(token == END ? "unexpected end" : "unexpected token");
    return 0;
}

static double unary(void);
static double power(void) {
    double base = primary();
    if (token != '^') return base;
    advance();
    return pow(base, unary());
}
static double unary(void) {
    if (token == '-') { advance(); return -unary(); }
    if (token == '!') { advance(); return !unary(); }
    return power();
}
static double product(void) {
    double v = unary();
    for (;;) {
        int op = token;
        if (op != '*' && op != '/' && op != '%') return v;
        advance();
        double r = unary();
        if (op != '*' && r == 0) fail("division by zero");
        v = op == '*' ? v * r : op == '/' ? v / r : fmod(v, r);
    }
}
static double sum(void) {
    double v = product();
    while (token == '+' || token == '-') {
        int op = token;
        advance();
        double r = product();
        v = op == '+' ? v + r : v - r;
    }
    return v;
}
static double comparison(void) {
    double v = sum();
    for (;;) {
        int op = token;
        if (op != '<' && op != '>' && op != EQ && op != NE && op != LE && op != GE) return v;
        advance();
        double r = sum();
        v = op == '<' ? v < r : op == '>' ? v > r : op == EQ ? v == r : op == NE ? v != r : op == LE ? v <= r : v >= r;
    }
}
static double expression(void) {
    double v = comparison();
    while (token == AND || token == OR) {
        int op = token;
        advance();
        double r = comparison();
        v = op == AND ? v && r : v || r;
    }
    return v;
}

int main(void) {
    char line[100];
    int errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        text = at = start = line;
        if (setjmp(failed)) {
            printf("%s: error: %s\n", line, message);
            errors++;
            continue;
        }
        advance();
        double v = expression();
        if (token != END) fail("trailing text");
        printf("%s -> %.10g\n", line, v);
    }
    printf("%d errors\n", errors);
    return 0;
}
