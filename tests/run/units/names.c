#include "shared.h"
extern const char *const title;
int weak_choice(void) { return 2; }
int weak_value = 20;
int read_tentative(void) { return tentative; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int (*const dispatch[])(int) = {twice, thrice};
const char *name(void) { return title; }
