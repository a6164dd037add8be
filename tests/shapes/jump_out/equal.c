#include <setjmp.h>

static jmp_buf failure;
static int errors;

static void check(int digit) {
    if (9 < digit) {
        errors += 1;
        longjmp(failure, 2);
    }
}

int parse(unsigned char digit) {
    int code = setjmp(failure);
    if (code != 0) {
        return -code;
    }
    check(digit);
    return digit;
}
