// Weak symbols, aliases, constructors and destructors, their order, used and unused attributes.
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) int maybe(void);
__attribute__((weak)) extern int maybe_variable;
__attribute__((weak)) int overridable(void) { return 1; }
int real(int x) { return x * 2; }
int other(int x) __attribute__((alias("real")));
static int storage = 5;
extern int second_name __attribute__((alias("storage")));

static int order;
__attribute__((constructor(201))) static void later(void) { order = order * 10 + 2; }
__attribute__((constructor(200))) static void early(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void bye(void) { printf("destructor\n"); }
__attribute__((destructor(300))) static void bye_last(void) { printf("last destructor\n"); }

static void at_exit_one(void) { printf("atexit one\n"); }
static void at_exit_two(void) {
    printf("atexit two\n");
    atexit(at_exit_one);
}
static void with_status(int status, void *text) { printf("on_exit %d %s\n", status, (char *)text); }
int on_exit(void (*)(int, void *), void *);

int main(void) {
    printf("%d\n", order);
    printf("%d %d\n", maybe ? 1 : 0, &maybe_variable ? 1 : 0);
    printf("%d %d %d\n", overridable(), other(21), real == other);
    second_name = 9;
    printf("%d\n", storage);
    atexit(at_exit_one);
    atexit(at_exit_two);
    on_exit(with_status, "context");
    return 0;
}
