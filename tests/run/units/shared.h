#ifndef SHARED_H
#define SHARED_H
extern int tentative, common, stack_size;
extern int stack[16];
extern int (*const dispatch[])(int);
int other_local(void);
int read_tentative(void);
void push(int);
int pop(void);
const char *name(void);
int weak_choice(void);
extern int weak_value;
static inline int square(int x) { return x * x; }
#endif
