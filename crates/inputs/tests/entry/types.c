/* Functions with parameters of every kind. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = 1 };
typedef struct { short x, y; } point;
struct flags { unsigned a : 3; int b : 5; _Bool c : 1; unsigned char rest; };
struct node { int value; struct node *next; };
struct named { char name[4]; const char *text; double weight; int (*compare)(int, int); };
union number { int i; float f; unsigned char bytes[6]; };
union linked { int i; void *p; };
struct opaque;

int counter = 3;
static point origin;
const int fixed = 4;
struct node *list;

static int less(int a, int b) { return a < b; }

static int scalars(signed char c, unsigned short s, long l, _Bool b, float f, double d) {
    return c + s + (int)l + b + (f < 1.0f) + (d < 0);
}

int colors(enum color c, enum sign s) { return c * 10 + s; }

point swapped(point p) {
    point q = { p.y, p.x };
    return q;
}

unsigned bits(struct flags f) { return f.a * 100u + (unsigned)f.b + f.c + f.rest; }

int sum(const int *values, unsigned n) {
    int total = 0;
    for (unsigned i = 0; i < n; i++)
        total += values[i];
    return total;
}

void reverse(char *s) {
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) {
        char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = c;
    }
}

struct node *last(struct node *n) {
    while (n && n->next)
        n = n->next;
    return n;
}

int apply(int (*f)(int, int), int a) { return f(a, 10); }

int weigh(struct named *n) {
    n->name[0] = 'W';
    if (n->compare)
        return -1;
    return n->text ? (int)strlen(n->text) : 0;
}

int as_union(union number u) { return u.i + u.bytes[5]; }
int as_linked(union linked u) { return u.i; }
int wide(__int128 a, unsigned __int128 b, long double x) { return (a > 0) + (b > 5) + (x > 1); }
int rows(int (*m)[2]) { return m[0][0] + m[0][1]; }
void released(int *p) { free(p); }
char *middle(char *s) { return s + 1; }
int count(void) { return ++counter + origin.x; }
int memory(void *p) { return ((unsigned char *)p)[0]; }
int strings(char **words) { return words[0] ? words[0][0] : -1; }
int opaque(struct opaque *o) { return o != 0; }
int stream(FILE *f) { return f != 0; }
int variadic(const char *format, ...) { return format[0]; }
int old_style(a, b) int a; char b; { return a + b; }
static int unused_name(int);
static int unused_name(int x) { return x; }
struct big { int values[100]; };
int huge(struct big *b) { return b->values[0]; }
void nothing(void) {}
struct node *relink(struct node *n) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = n->value;
    fresh->next = n;
    n->next = n;
    list = n;
    return fresh;
}

int scale(const int *values, int n) { return values[0] * n; }
int total(const int *values, int n) {
    int total = 0;
    if (n < 0)
        return -1;
    while (n-- > 0)
        total += *values++;
    return total;
}
int digits(const char *s, const char *end) {
    int n = 0;
    while (s < end && *s >= '0' && *s <= '9')
        s++, n++;
    return n;
}
struct vec { int *cells; unsigned count, capacity; };
int push(struct vec *v, int x) {
    if (v->count == v->capacity)
        return -1;
    v->cells[v->count++] = x;
    return (int)v->count;
}
struct reader { const unsigned char *start, *pos, *end; };
int left(const struct reader *r) { return r && r->start ? (int)(r->end - r->pos) : -1; }
unsigned hash(const unsigned char *s) {
    unsigned h = 0;
    while (*s)
        h = h * 31 + *s++;
    return h;
}
unsigned hash_bytes(const unsigned char *s, size_t len) {
    unsigned h = len > 20;
    for (size_t i = 0; i < len; i++)
        h = h * 31 + s[i];
    return h;
}
static unsigned inner(const unsigned char *p, unsigned m) { return hash_bytes(p, m); }
unsigned outer(const unsigned char *p, unsigned m) { return inner(p, m) + 1; }
struct item { int key, value; };
int find(const struct item *items, int n, int key) {
    for (int i = 0; i < n; i++)
        if (items[i].key == key)
            return items[i].value;
    return -1;
}

int main(int argc, char **argv) {
    struct flags f = { 1, 2, 1, 4 };
    union number u = { 1 };
    union linked w = { 1 };
    point p = { 1, 2 };
    struct big b = { { 0 } };
    printf("%d", scalars(1, 2, 3, 1, 0, 0) + as_union(u) + as_linked(w) + (int)bits(f) +
                     apply(less, argc) + unused_name(argc) + swapped(p).x + huge(&b) + fixed);
    return argv != 0;
}

/* Parameters that may be the same object, and one that may not. */
int mix(int *a, const int *b, int *c, int *restrict d, unsigned n) {
    if (!b)
        return *a;
    for (unsigned i = 0; i < n; i++)
        c[i] = b[i];
    return *a + *c + *d;
}

struct chain {
    int value;
    struct chain *next;
};

int join(struct chain *one, const struct chain *two) {
    return one->value + two->value + (one->next != 0);
}
