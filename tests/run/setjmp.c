// setjmp and longjmp: values, nesting, volatile locals, error handling across calls.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer;
static int depth;

struct handler {
    jmp_buf env;
    struct handler *previous;
    const char *message;
};
static struct handler *top;

static void throw(const char *message, int code) {
    top->message = message;
    longjmp(top->env, code);
}

static int parse(int n) {
    if (n == 3) throw("three", 3);
    if (n == 0) return 1;
    return parse(n - 1) + 1;
}

static int guarded(int n) {
    struct handler h = {.previous = top};
    top = &h;
    int code = setjmp(h.env), result;
    if (code == 0) result = parse(n);
    else {
        printf("caught %s %d\n", h.message, code);
        result = -code;
    }
    top = h.previous;
    return result;
}

static void descend(int n) {
    depth++;
    if (n == 0) longjmp(outer, 42);
    descend(n - 1);
}

int main(void) {
    volatile int tries = 0;
    int value = setjmp(outer);
    if (value == 0) descend(50);
    printf("%d %d\n", value, depth);
    jmp_buf again;
    switch (setjmp(again)) {
    case 0: printf("first\n"); tries++; longjmp(again, 1);
    case 1: printf("second %d\n", tries); tries++; longjmp(again, 2);
    case 2: printf("third %d\n", tries); break;
    default: printf("never\n");
    }
    if (setjmp(again) == 0) longjmp(again, 0);
    else printf("zero becomes one\n");
    for (int i = 0; i < 6; i++) printf("%d\n", guarded(i));
    volatile int loops = 0;
    if (_setjmp(again) < 5) {
        loops++;
        if (loops < 5) _longjmp(again, loops);
    }
    printf("%d\n", loops);
    sigjmp_buf s;
    if (sigsetjmp(s, 1) == 0) siglongjmp(s, 9);
    printf("done\n");
    return 0;
}
