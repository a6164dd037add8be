// Compound literals, designated initialisers, flexible array members, _Generic, anonymous members.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
struct packet { unsigned short length; char data[]; };
struct value {
    enum { INT, STRING, PAIR } kind;
    union {
        int number;
        const char *string;
        struct { short first, second; };
    };
};

static int area(const struct point *p, int n) {
    int a = 0;
    for (int i = 0; i < n; i++) a += p[i].x * p[(i + 1) % n].y - p[(i + 1) % n].x * p[i].y;
    return a / 2;
}

#define TYPE(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned", long: "long", \
    float: "float", double: "double", long double: "long double", char *: "char *", \
    const char *: "const char *", struct point: "point", default: "other")

static struct packet *make(const char *text) {
    size_t n = strlen(text);
    struct packet *p = malloc(sizeof *p + n + 1);
    p->length = (unsigned short)n;
    memcpy(p->data, text, n + 1);
    return p;
}

static void show(struct value v) {
    switch (v.kind) {
    case INT: printf("int %d\n", v.number); break;
    case STRING: printf("string %s\n", v.string); break;
    case PAIR: printf("pair %d %d\n", v.first, v.second); break;
    }
}

static int *shared = (int[]){5, 6, 7};

int main(void) {
    printf("%d\n", area((struct point[]){{0, 0}, {4, 0}, {4, 3}, {0, 3}}, 4));
    struct line l = {.name = "diagonal", .to = {.y = 9, .x = 8}, .from.x = 1};
    printf("%s %d %d %d %d\n", l.name, l.from.x, l.from.y, l.to.x, l.to.y);
    int a[10] = {[3] = 1, 2, [8] = 5, [1] = 7, [0 ... 0] = 4};
    for (int i = 0; i < 10; i++) printf("%d ", a[i]);
    int grid[3][4] = {[1] = {[2] = 5}, [2][3] = 6, [0] = {1, 2}};
    for (int i = 0; i < 12; i++) printf("%d ", grid[i / 4][i % 4]);
    printf("\n");
    for (int i = 0; i < 3; i++) {
        int *p = (int[]){i, i * i};
        p[0]++;
        printf("%d %d ", p[0], p[1]);
    }
    shared[1]++;
    printf("%d\n", shared[0] + shared[1] + shared[2]);
    struct packet *p = make("flexible");
    printf("%u %s %zu\n", p->length, p->data, sizeof *p);
    free(p);
    show((struct value){INT, .number = 42});
    show((struct value){STRING, .string = "text"});
    show((struct value){PAIR, .first = -1, .second = 2});
    struct point q = {1, 2};
    printf("%s %s %s %s %s %s %s\n", TYPE(1), TYPE(1u), TYPE(1L), TYPE(1.0f), TYPE('a'), TYPE("s"), TYPE(q));
    printf("%s %s %s %s\n", TYPE((char)1), TYPE(1.0L), TYPE(&q), TYPE(1 + 1.0));
    q = (struct point){.y = q.x + 10};
    printf("%d %d\n", q.x, q.y);
    printf("%zu %s\n", sizeof((char[]){"sized"}), &"offset"[3]);
    printf("%d\n", ((struct point){3, 4}).y);
    struct { int n; struct { int m; } deep[2]; } d = {1, {{2}, {3}}};
    printf("%d\n", d.n + d.deep[0].m + d.deep[1].m);
    return 0;
}
