// A new early return: what comes after it is missing.
// args: -2
#include <stdio.h>
#include <stdlib.h>
static void show(int n) {
#ifdef NEW
  if (n < 0)
    return;
#endif
  printf("n is %d\n", n);
}
int main(int argc, char **argv) {
  show(atoi(argv[1]));
  puts("done");
  return 0;
}
