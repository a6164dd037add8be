// Through the calls of a recursive function.
// args: 6
#include <stdio.h>
#include <stdlib.h>
static long power(long base, int n) {
  if (n == 0)
#ifdef NEW
    return 2;
#else
    return 1;
#endif
  return base * power(base, n - 1);
}
int main(int argc, char **argv) {
  printf("%ld\n", power(3, atoi(argv[1])));
  return 0;
}
