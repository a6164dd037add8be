// One version divides by zero.
// args: 3
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
#ifdef NEW
  int parts = n - 3;
#else
  int parts = n - 2;
#endif
  int share = 12 / parts;
  printf("%d\n", share);
  return 0;
}
