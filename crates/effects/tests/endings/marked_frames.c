// not known: each round leaves another mark for `longjmp`
#include <setjmp.h>

static jmp_buf here;

static int mark(void) {
    return setjmp(here);
}

int main(void) {
    while (!mark())
        ;
    return 0;
}
