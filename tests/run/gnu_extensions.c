// Extensions: statement expressions, typeof, omitted operands, cleanup, zero-length arrays, ranges, labels, auto types.
// cflags: -std=gnu11
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) do { __auto_type t = (a); (a) = (b); (b) = t; } while (0)
#define COUNT(...) (sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define LOG(format, ...) printf("[%d] " format "\n", __LINE__, ##__VA_ARGS__)
#define GLUE(a, b) a##b
#define TEXT(x) #x
#define EXPAND(x) TEXT(x)

static void done(int *p) { printf("cleanup %d\n", *p); }
static void release(char **p) { printf("free %s\n", *p), free(*p); }

struct tail { int n; char data[0]; };
struct __attribute__((packed)) packed { char a; int b; short c; };
union __attribute__((transparent_union)) either { int *i; float *f; };
static int kind(union either e) { return *e.i; }

static int scoped(int early) {
    int first __attribute__((cleanup(done))) = 1;
    char *text __attribute__((cleanup(release))) = strdup("scoped");
    if (early) return 10;
    for (int i = 0; i < 2; i++) {
        int loop __attribute__((cleanup(done))) = 100 + i;
        if (i) break;
    }
    return 20;
}

static inline __attribute__((always_inline)) int inlined(int x) { return x * 3; }
__attribute__((noinline, pure)) static int pure_function(int x) { return x + 1; }
__attribute__((const)) static int const_function(int x) { return x - 1; }

#define COLOURS(X) X(RED, 1) X(GREEN, 2) X(BLUE, 4)
enum colour {
#define X(name, value) name = value,
    COLOURS(X)
#undef X
};
static const char *colour_name(enum colour c) {
    switch (c) {
#define X(name, value) case name: return #name;
        COLOURS(X)
#undef X
    }
    return "?";
}

int main(void) {
    int i = 3, j = 7;
    printf("%d %g %d\n", MAX(i++, j), MAX(1.5, 2), i);
    SWAP(i, j);
    printf("%d %d\n", i, j);
    printf("%d %d\n", 0 ?: 5, 7 ?: 5);
    printf("%zu %d\n", COUNT(1, 2, 3, 4), ({ int s = 0; for (int k = 0; k < 5; k++) s += k; s; }));
    LOG("no arguments");
    LOG("%d and %s", 5, "text");
    int GLUE(var, 12) = 12;
    printf("%d %s %s\n", var12, EXPAND(GLUE(a, b)), TEXT("quoted \n"));
    printf("%d\n", scoped(1)), printf("%d\n", scoped(0));
    struct tail *t = malloc(sizeof *t + 6);
    t->n = 5, strcpy(t->data, "tail");
    printf("%zu %s\n", sizeof *t, t->data);
    free(t);
    struct packed p = {1, 0x12345678, 2};
    unsigned char *raw = (unsigned char *)&p;
    for (unsigned k = 0; k < sizeof p; k++) printf("%02x", raw[k]);
    int *unaligned = &p.b;
    printf(" %zu %x\n", sizeof p, *unaligned);
    float f = 0;
    printf("%d %d\n", kind(&i), kind(&f));
    printf("%d %d %d\n", inlined(4), pure_function(4), const_function(4));
    for (int c = 1; c < 5; c++) printf("%s ", colour_name((enum colour)c));
    printf("\n%d %s\n", __extension__ 0b1011, "a" "\x41" "b");
    int array[] = {[0 ... 3] = 7, [5] = 1, [6 ... 7] = 2};
    for (int k = 0; k < 8; k++) printf("%d", array[k]);
    printf("\n%d %zu\n", __builtin_choose_expr(1, 5, "x"), sizeof(void));
    void *v = array;
    v += sizeof(int) * 5;
    printf("%d\n", *(int *)v);
    const char *utf = u8"é€", *raw_text = "tab\tbell\a\\ \x7e \101 \?";
    printf("%zu %s\n", strlen(utf), raw_text);
    printf("%d %zu %zu\n", L'é', sizeof U"ab", sizeof u"ab");
    return 0;
}
