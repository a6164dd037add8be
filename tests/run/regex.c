// A backtracking regular expression matcher: classes, repetition, alternation, groups, anchors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    enum { CHAR, ANY, CLASS, START, END, SPLIT, SAVE, MATCH, JUMP } kind;
    int c, x, y;
    unsigned char set[32];
};
static struct node prog[200];
static int size;
static const char *re;
static int groups;

static int emit(int kind, int c) {
    memset(&prog[size], 0, sizeof *prog);
    prog[size].kind = kind, prog[size].c = c;
    return size++;
}
static void insert(int at) {
    memmove(&prog[at + 1], &prog[at], (size_t)(size - at) * sizeof *prog);
    size++;
    for (int i = at + 1; i < size; i++)
        if (prog[i].kind == SPLIT || prog[i].kind == JUMP) {
            if (prog[i].x >= at) prog[i].x++;
            if (prog[i].y >= at) prog[i].y++;
        }
    memset(&prog[at], 0, sizeof *prog);
}
static void alternation(void);
static void atom(void) {
    int c = *re++, n;
    switch (c) {
    case '.': emit(ANY, 0); return;
    case '^': emit(START, 0); return;
    case '$': emit(END, 0); return;
    case '(':
        n = ++groups;
        emit(SAVE, 2 * n);
        alternation();
        if (*re == ')') re++;
        emit(SAVE, 2 * n + 1);
        return;
    case '[': {
        n = emit(CLASS, 0);
        int negate = *re == '^';
        re += negate;
        do {
            int low = (unsigned char)*re++, high = low;
            if (re[0] == '-' && re[1] != ']') high = (unsigned char)re[1], re += 2;
            for (; low <= high; low++) prog[n].set[low / 8] |= (unsigned char)(1 << low % 8);
        } while (*re && *re != ']');
        if (*re) re++;
        if (negate) for (int i = 0; i < 32; i++) prog[n].set[i] ^= 0xff;
        return;
    }
    case '\\':
        n = *re++;
        if (n == 'd') { re -= 0; int k = emit(CLASS, 0); for (int d = '0'; d <= '9'; d++) prog[k].set[d / 8] |= (unsigned char)(1 << d % 8); }
        else emit(CHAR, n);
        return;
    default: emit(CHAR, c);
    }
}
static void repeat(void) {
    int at = size;
    atom();
    while (*re == '*' || *re == '+' || *re == '?') {
        int op = *re++, lazy = *re == '?', end;
        re += lazy;
        if (op != '+') {
            insert(at);
            prog[at].kind = SPLIT;
            if (op == '*') end = emit(JUMP, 0), prog[end].x = at;
            prog[at].x = lazy ? size : at + 1, prog[at].y = lazy ? at + 1 : size;
        } else {
            end = emit(SPLIT, 0);
            prog[end].x = lazy ? size : at, prog[end].y = lazy ? at : size;
        }
    }
}
static void alternation(void) {
    int at = size;
    while (*re && *re != '|' && *re != ')') repeat();
    if (*re != '|') return;
    re++;
    insert(at);
    prog[at].kind = SPLIT, prog[at].x = at + 1;
    int jump = emit(JUMP, 0);
    prog[at].y = size;
    alternation();
    prog[jump].x = size;
}

static const char *begin, *saved[20];
static long steps;
static int run(int pc, const char *s) {
    for (;;) {
        struct node *n = &prog[pc];
        if (++steps > 200000) return 0;
        switch (n->kind) {
        case CHAR: if (*s != n->c) return 0; s++, pc++; break;
        case ANY: if (!*s) return 0; s++, pc++; break;
        case CLASS: if (!*s || !(n->set[(unsigned char)*s / 8] >> (unsigned char)*s % 8 & 1)) return 0; s++, pc++; break;
        case START: if (s != begin) return 0; pc++; break;
        case END: if (*s) return 0; pc++; break;
        case JUMP: pc = n->x; break;
        case SPLIT: if (run(n->x, s)) return 1; pc = n->y; break;
        case SAVE: {
            const char *old = saved[n->c];
            saved[n->c] = s;
            if (run(pc + 1, s)) return 1;
            saved[n->c] = old;
            return 0;
        }
        case MATCH: return 1;
        }
    }
}

static void test(const char *pattern, const char *text) {
    size = groups = 0, re = pattern, steps = 0;
    emit(SAVE, 0), alternation(), emit(SAVE, 1), emit(MATCH, 0);
    begin = text;
    memset(saved, 0, sizeof saved);
    for (const char *s = text;; s++) {
        if (run(0, s)) {
            printf("%s ~ %s:", pattern, text);
            for (int g = 0; g <= groups; g++)
                if (saved[2 * g + 1]) printf(" [%.*s]", (int)(saved[2 * g + 1] - saved[2 * g]), saved[2 * g]);
                else printf(" -");
            printf(" %ld\n", steps);
            return;
        }
        if (!*s) break;
    }
    printf("%s ~ %s: no %ld\n", pattern, text, steps);
}

int main(void) {
    test("abc", "xxabcxx"), test("a*b", "aaab"), test("a+?b", "aaab"), test("^a.c$", "abc"), test("^a.c$", "abcd");
    test("(a|b)*c", "ababc"), test("([a-z]+)@([a-z]+)", "mail bob@host now"), test("[^0-9]+", "123abc456");
    test("(\\d+)-(\\d+)", "tel 555-1234"), test("colou?r", "my color"), test("(a*)(a*)", "aaa"), test("(a*?)(a*)$", "aaa");
    test("x|y|z", "only z"), test("(ab|a)(bc|c)?", "abc"), test("a\\.b", "a.b"), test("", "abc"), test("(a*)*b", "aaaaaaaaaaaac");
    test("(x+x+)+y", "xxxxxxxxxxxx"), test("[]a]", "]"), test("(((a)))", "a");
    return 0;
}
