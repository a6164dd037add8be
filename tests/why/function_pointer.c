// Another function is called through a table.
// args: 1 6
#include <stdio.h>
#include <stdlib.h>
static int add(int x) { return x + 1; }
static int negate(int x) { return -x; }
#ifdef NEW
static int (*const actions[])(int) = {add, add};
#else
static int (*const actions[])(int) = {add, negate};
#endif
int main(int argc, char **argv) {
  int (*action)(int) = actions[atoi(argv[1])];
  int result = action(atoi(argv[2]));
  printf("%d\n", result);
  return 0;
}
