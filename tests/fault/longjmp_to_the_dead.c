// faults: longjmp to a function that has returned
// exit: 134
// native: undefined
#include <setjmp.h>

static jmp_buf env;

static int save(void) { return setjmp(env); }

int main(void) {
    if (save() == 0) longjmp(env, 1);
    return 0;
}
