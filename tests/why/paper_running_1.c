// The running example with three changes, on the input (0 -1).
// args: 0 -1
#include <stdio.h>
#include <stdlib.h>
static int figure(int i, int j) {
#ifdef NEW
  int a = i + 1;
#else
  int a = i;
#endif
  int b = 0;
  int o = 0;
  if (a > 0) {
#ifdef NEW
    b = j + 1;
#else
    b = j;
#endif
    o = 1;
  }
  if (b > 0)
#ifdef NEW
    o = o + 1;
#else
    o = 2;
#endif
  return o;
}
int main(int argc, char **argv) {
  printf("%d\n", figure(atoi(argv[1]), atoi(argv[2])));
  return 0;
}
