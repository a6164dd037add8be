// A reverse Polish calculator with a stack, words defined by the user, and error codes as exit status.
// stdin: 3 4 + 2 * .
// stdin: : square dup * ;
// stdin: 5 square . 2 square square .
// stdin: : cube dup square * ; 3 cube .
// stdin: 10 3 / . 10 3 mod . -7 2 / .
// stdin: 1 2 swap . . 1 2 over . . .
// stdin: 5 0 / .
// stdin: drop
// stdin: what
// stdin: 0x10 010 + .
// exit: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long stack[100];
static int depth, errors;
static struct word { char name[16]; char body[80]; } words[20];
static int word_count;

static long pop(void) {
    if (depth == 0) {
        printf("empty stack\n");
        errors++;
        return 0;
    }
    return stack[--depth];
}
static void push(long v) { stack[depth++] = v; }
static void run(const char *text, int level);

static void execute(const char *t, int level) {
    long a, b;
    char *end;
    long number = strtol(t, &end, 0);
    if (*t && !*end) { push(number); return; }
    for (int i = word_count; i--;)
        if (!strcmp(words[i].name, t)) {
            if (level > 20) { printf("too deep\n"); return; }
            run(words[i].body, level + 1);
            return;
        }
    if (!strcmp(t, ".")) printf("%ld ", pop());
    else if (!strcmp(t, "dup")) a = pop(), push(a), push(a);
    else if (!strcmp(t, "drop")) pop();
    else if (!strcmp(t, "swap")) b = pop(), a = pop(), push(b), push(a);
    else if (!strcmp(t, "over")) b = pop(), a = pop(), push(a), push(b), push(a);
    else if (t[0] && strchr("+-*/", t[0]) && !t[1]) {
        b = pop(), a = pop();
        if (*t == '/' && b == 0) { printf("division by zero "); errors++; push(0); return; }
        push(*t == '+' ? a + b : *t == '-' ? a - b : *t == '*' ? a * b : a / b);
    } else if (!strcmp(t, "mod")) b = pop(), a = pop(), push(b ? a % b : 0);
    else printf("unknown %s\n", t), errors++;
}

static void run(const char *text, int level) {
    char copy[100], *save, *t;
    snprintf(copy, sizeof copy, "%s", text);
    for (t = strtok_r(copy, " \n", &save); t; t = strtok_r(NULL, " \n", &save)) {
        if (strcmp(t, ":")) { execute(t, level); continue; }
        struct word *w = &words[word_count++];
        t = strtok_r(NULL, " \n", &save);
        snprintf(w->name, sizeof w->name, "%s", t);
        w->body[0] = 0;
        while ((t = strtok_r(NULL, " \n", &save)) && strcmp(t, ";")) strcat(strcat(w->body, t), " ");
    }
}

int main(void) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) run(line, 0), printf("| %d\n", depth);
    return errors;
}
