// Tagged unions, enumerations of all signs and sizes, flags, nested anonymous members, arrays of unions.
#include <stdio.h>
#include <string.h>

enum sign { NEGATIVE = -5, ZERO = 0, HUGE_VALUE = 0x7fffffff };
enum bits { A = 1 << 0, B = 1 << 1, C = 1 << 2, ALL = A | B | C };
enum big { WIDE = 0x100000000 };
typedef enum { LIT, ADD, MUL, NEG } op;
typedef struct expr {
    op kind;
    union {
        double literal;
        struct { struct expr *left, *right; };
        struct expr *operand;
    };
} expr;

static double eval(const expr *e) {
    switch (e->kind) {
    case LIT: return e->literal;
    case ADD: return eval(e->left) + eval(e->right);
    case MUL: return eval(e->left) * eval(e->right);
    case NEG: return -eval(e->operand);
    }
    return 0;
}
static void show(const expr *e) {
    switch (e->kind) {
    case LIT: printf("%g", e->literal); break;
    case NEG: printf("-("), show(e->operand), printf(")"); break;
    case ADD: case MUL: printf("("), show(e->left), printf(e->kind == ADD ? " + " : " * "), show(e->right), printf(")");
    }
}
union word { unsigned long all; unsigned part[2]; unsigned short half[4]; unsigned char byte[8]; signed char sbyte[8]; };

int main(void) {
    enum sign s = NEGATIVE;
    enum bits flags = A | C;
    printf("%d %d %zu %zu %zu\n", s, s < ZERO, sizeof s, sizeof flags, sizeof(enum big));
    flags |= B, flags &= ~A;
    printf("%d %d %d %ld\n", flags, flags == ALL, (flags & C) != 0, (long)WIDE);
    expr one = {LIT, .literal = 1.5}, two = {LIT, .literal = -2}, sum = {ADD, .left = &one, .right = &two};
    expr neg = {NEG, .operand = &sum}, mul = {MUL, {.left = &neg, .right = &one}};
    show(&mul), printf(" = %g %zu\n", eval(&mul), sizeof(expr));
    union word w = {.all = 0x0123456789abcdef};
    printf("%x %x %x %x %d\n", w.part[0], w.part[1], w.half[1], w.byte[7], w.sbyte[0]);
    w.half[2] = 0xffff;
    printf("%lx\n", w.all);
    union word many[3];
    memset(many, 0, sizeof many);
    many[1].sbyte[3] = -1;
    many[2] = many[1];
    printf("%lx %lx %zu\n", many[0].all, many[2].all, sizeof many);
    union { int i; struct { unsigned low : 12, high : 20; }; } b = {.i = -1};
    b.low = 5;
    printf("%d %u\n", b.i, b.high);
    return 0;
}
