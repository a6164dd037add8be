// A stack machine with a compiler from a small language: variables, while, if, print, functions of one argument.
// stdin: a = 10; b = 3;
// stdin: while a > 0 { if a % b == 0 { print a * 100 + b; } a = a - 1; }
// stdin: fn fact(n) { if n < 2 { return 1; } return n * fact(n - 1); }
// stdin: print fact(10);
// stdin: fn fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
// stdin: i = 0; while i < 12 { print fib(i); i = i + 1; }
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH, LOAD, STORE, ARG, ADD, SUB, MUL, DIV, MOD, LT, GT, EQ, JZ, JMP, PRINT, CALL, RET, HALT };
static int code[1000], size;
static char source[2000], *at, token[32], globals[20][16], functions[10][16], parameter[16];
static int global_count, function_count, entry[10];

static void advance(void) {
    int n = 0;
    while (isspace((unsigned char)*at)) at++;
    if (isalnum((unsigned char)*at)) while (isalnum((unsigned char)*at)) token[n++] = *at++;
    else if (*at) {
        token[n++] = *at++;
        if (token[0] == '=' && *at == '=') token[n++] = *at++;
    }
    token[n] = 0;
}
static int accept(const char *t) { return !strcmp(token, t) ? advance(), 1 : 0; }
static void expect(const char *t) {
    if (accept(t)) return;
    printf("expected %s, found %s\n", t, token);
    exit(1);
}
static int find(char table[][16], int *count, const char *name) {
    for (int i = 0; i < *count; i++) if (!strcmp(table[i], name)) return i;
    strcpy(table[*count], name);
    return (*count)++;
}
static void emit(int op) { code[size++] = op; }

static void expression(void);
static void primary(void) {
    char name[32];
    strcpy(name, token);
    if (accept("(")) { expression(); expect(")"); return; }
    advance();
    if (isdigit((unsigned char)name[0])) { emit(PUSH), emit(atoi(name)); return; }
    if (accept("(")) {
        expression();
        expect(")");
        emit(CALL), emit(find(functions, &function_count, name));
    } else if (!strcmp(name, parameter)) emit(ARG);
    else emit(LOAD), emit(find(globals, &global_count, name));
}
static void product(void) {
    primary();
    for (;;) {
        if (accept("*")) primary(), emit(MUL);
        else if (accept("/")) primary(), emit(DIV);
        else if (accept("%")) primary(), emit(MOD);
        else return;
    }
}
static void sum(void) {
    product();
    for (;;) {
        if (accept("+")) product(), emit(ADD);
        else if (accept("-")) product(), emit(SUB);
        else return;
    }
}
static void expression(void) {
    sum();
    if (accept("<")) sum(), emit(LT);
    else if (accept(">")) sum(), emit(GT);
    else if (accept("==")) sum(), emit(EQ);
}
static void statement(void);
static void block(void) {
    expect("{");
    while (!accept("}")) statement();
}
static void statement(void) {
    int patch, top;
    if (accept("while")) {
        top = size;
        expression();
        emit(JZ), patch = size++;
        block();
        emit(JMP), emit(top);
        code[patch] = size;
    } else if (accept("if")) {
        expression();
        emit(JZ), patch = size++;
        block();
        code[patch] = size;
    } else if (accept("print")) expression(), emit(PRINT), expect(";");
    else if (accept("return")) expression(), emit(RET), expect(";");
    else if (accept("fn")) {
        int f = find(functions, &function_count, token);
        advance();
        expect("(");
        strcpy(parameter, token), advance();
        expect(")");
        emit(JMP), patch = size++;
        entry[f] = size;
        block();
        emit(PUSH), emit(0), emit(RET);
        code[patch] = size, parameter[0] = 0;
    } else {
        int g = find(globals, &global_count, token);
        advance();
        expect("=");
        expression();
        emit(STORE), emit(g), expect(";");
    }
}

int main(void) {
    size_t n = fread(source, 1, sizeof source - 1, stdin);
    source[n] = 0, at = source;
    advance();
    while (*token) statement();
    emit(HALT);
    static long stack[1000], values[20];
    int sp = 0, fp = 0, pc = 0;
    long steps = 0, b;
    for (;; steps++) {
        switch (code[pc++]) {
        case PUSH: stack[sp++] = code[pc++]; break;
        case LOAD: stack[sp++] = values[code[pc++]]; break;
        case STORE: values[code[pc++]] = stack[--sp]; break;
        case ARG: stack[sp++] = stack[fp - 3]; break;
#define BINARY(OP, E) case OP: b = stack[--sp], stack[sp - 1] = stack[sp - 1] E b; break;
        BINARY(ADD, +) BINARY(SUB, -) BINARY(MUL, *) BINARY(DIV, /) BINARY(MOD, %) BINARY(LT, <) BINARY(GT, >) BINARY(EQ, ==)
        case JZ: if (stack[--sp]) pc++; else pc = code[pc]; break;
        case JMP: pc = code[pc]; break;
        case PRINT: printf("%ld\n", stack[--sp]); break;
        case CALL: stack[sp] = pc + 1, stack[sp + 1] = fp, sp += 2, fp = sp, pc = entry[code[pc]]; break;
        case RET: b = stack[sp - 1], sp = fp, pc = (int)stack[sp - 2], fp = (int)stack[sp - 1], sp -= 3, stack[sp++] = b; break;
        case HALT: printf("%d words, %ld steps\n", size, steps); return 0;
        }
    }
}
