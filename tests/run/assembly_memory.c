// Inline assembly: operands in memory, addressing, string operations, operand modifiers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int table[8] = {10, 20, 30, 40, 50, 60, 70, 80};
static long counter = 41;

static int element(const int *base, long index) {
    int value;
    __asm__("movl 4(%1,%2,4), %0" : "=r"(value) : "r"(base), "r"(index) : "memory");
    return value;
}

static long address(long a, long b) {
    long sum;
    int narrow;
    __asm__("leaq -3(%1,%2,8), %0" : "=r"(sum) : "r"(a), "r"(b));
    __asm__("leal (,%q1,4), %0" : "=r"(narrow) : "r"(a));
    return sum * 31 + narrow;
}

static int exchange_add(int *p, int by) {
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*p) : : "memory");
    return by;
}

static int compare_and_swap(long *p, long expected, long new, long *seen) {
    unsigned char done;
    __asm__ volatile("lock cmpxchgq %3, %1\n\tsete %0"
                     : "=q"(done), "+m"(*p), "=a"(*seen)
                     : "r"(new), "2"(expected)
                     : "memory", "cc");
    return done;
}

static void *copy(void *to, const void *from, size_t size) {
    void *start = to;
    __asm__ volatile("cld\n\trep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return start;
}

static void fill(uint32_t *to, uint32_t value, size_t count) {
    __asm__ volatile("rep stosl" : "+D"(to), "+c"(count) : "a"(value) : "memory");
}

static size_t length(const char *text) {
    size_t count = (size_t)-1;
    __asm__("repne scasb" : "+D"(text), "+c"(count) : "a"(0) : "memory", "cc");
    return ~count - 1;
}

static int same(const char *a, const char *b, size_t count) {
    unsigned char equal;
    __asm__("repe cmpsb\n\tsete %0" : "=q"(equal), "+S"(a), "+D"(b), "+c"(count) : : "memory", "cc");
    return equal;
}

static uint32_t modifiers(uint32_t x) {
    uint32_t y = x;
    __asm__("movb %h1, %b0 # the second byte becomes the first\n\t"
            "/* and the second grows */ addb $3, %h0\n\t"
            "xorw %w1, %w0;  addl %k1, %k0; .p2align 4\n"
            : "+Q"(y)
            : "Q"(x));
    return y;
}

static long named(long x) {
    register long kept __asm__("rbx") = x;
    register long other __asm__("r10") = 5;
    __asm__("xorl %%ecx, %%ecx\n\t"
            "decq %%rcx\n\t"
            "{addq %1, %0|add %0, %1}\n\t"
            "leaq (%%rbx,%%rcx), %%r11\n\t"
            "movq %%r11, %0"
            : "+r"(kept)
            : "r"(other)
            : "rcx", "r11", "cc");
    return kept;
}

static int constants(int x) {
    __asm__("addl %1, %0\n\taddl $%c2+1, %0\n\tsubl $(3*4-1)<<1, %0\n\tleal %c1(%q0), %0\n\taddl $%n1, %0"
            : "+r"(x)
            : "i"(100), "n"(sizeof(table)));
    return x;
}

static int in_place(void) {
    struct {
        char c;
        short s;
        int i;
        long l;
    } v = {1, 2, 3, 4};
    __asm__("incb %0; negw %1; notl %2; shlq $3, %3\n\tincl 4+%4"
            : "+m"(v.c), "+m"(v.s), "+m"(v.i), "+m"(v.l), "+m"(table));
    __asm__ volatile("lock; incq %0" : "+m"(counter));
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    __asm__("addl $5, %0" : "+rm"(v.i));
    return v.c + v.s + v.i + (int)v.l + table[1];
}

static void swap(long *a, long *b) {
    long t;
    __asm__("movq (%1), %0\n\txchgq %0, (%2)\n\tmovq %0, (%1)" : "=&r"(t) : "r"(a), "r"(b) : "memory");
}

static const char *global_address(void) {
    const int *p;
    __asm__("leaq 8(%1), %0" : "=r"(p) : "r"(table));
    return *p == 30 ? "third" : "other";
}

int main(void) {
    printf("%d %ld\n", element(table, 2), address(7, 9));
    int n = 5;
    int old = exchange_add(&n, 10);
    printf("%d %d\n", old, n);
    long value = 7, seen;
    int done = compare_and_swap(&value, 7, 9, &seen);
    printf("%d %ld %ld\n", done, value, seen);
    done = compare_and_swap(&value, 7, 11, &seen);
    printf("%d %ld %ld\n", done, value, seen);
    char text[40];
    copy(text, "some words to copy", 19);
    printf("%s %zu\n", text, length(text));
    // Overlapping: the bytes repeat.
    copy(text + 3, text, 12);
    printf("%s %d %d\n", text, same(text, text + 3, 12), same(text, text + 1, 5));
    uint32_t words[6] = {0};
    fill(words + 1, 0x01020304, 4);
    for (int i = 0; i < 6; i++) printf("%x ", words[i]);
    printf("\n%x %ld %d %d\n", modifiers(0x12345678), named(1000), constants(1), in_place());
    long a = 1, b = 2;
    swap(&a, &b);
    printf("%ld %ld %ld %s\n", a, b, counter, global_address());
    return 0;
}
