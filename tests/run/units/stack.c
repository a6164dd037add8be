#include "shared.h"
int stack[16], stack_size;
int common = 77;
__attribute__((weak)) int weak_choice(void) { return 1; }
__attribute__((weak)) int weak_value = 10;
static int hidden = 100;
static int local(void) { return hidden += square(2); }
int other_local(void) { return local(); }
void push(int x) { stack[stack_size++] = x; }
int pop(void) { return stack[--stack_size]; }
