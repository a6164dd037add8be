// One version does not end.
// args: 3
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  unsigned steps = 0;
  while (n != 0) {
#ifdef NEW
    n -= 2;
#else
    n -= 1;
#endif
    if (++steps > 100000)
      abort();
  }
  printf("%u\n", steps);
  return 0;
}
