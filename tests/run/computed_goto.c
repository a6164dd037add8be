// Labels as values: a threaded interpreter, label differences, static tables.
#include <stdio.h>

static long run(const int *code) {
    static void *const table[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&halt};
    long stack[32];
    int sp = 0;
    const int *pc = code;
#define NEXT goto *table[*pc++]
    NEXT;
push: stack[sp++] = *pc++; NEXT;
add: sp--; stack[sp - 1] += stack[sp]; NEXT;
mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
jnz: if (stack[sp - 1]) pc = code + *pc; else pc++; NEXT;
dec: stack[sp - 1]--; NEXT;
swap: { long t = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = t; } NEXT;
halt: return stack[0];
}

static int classify(int n) {
    static const int offsets[] = {&&zero - &&zero, &&one - &&zero, &&many - &&zero};
    goto *(&&zero + offsets[n > 1 ? 2 : n]);
zero: return 100;
one: return 200;
many: return 300 + n;
}

int main(void) {
    // acc n: swap, push 3, mul, swap, dec, jnz
    int code[] = {0, 1, 0, 10, 6, 0, 3, 2, 6, 5, 4, 4, 6, 7};
    printf("%ld\n", run(code));
    for (int i = 0; i < 5; i++) printf("%d ", classify(i));
    printf("\n");
    void *where = &&first;
    int laps = 0;
loop:
    goto *where;
first: printf("first\n"); where = &&second; goto loop;
second: printf("second\n"); where = ++laps < 3 ? &&first : &&last; goto loop;
last: printf("last %d\n", laps);
    return 0;
}
