// The versions differ, but nothing is to be seen of it on this input.
// args: 2
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
#ifdef NEW
  int big = n > 100;
#else
  int big = n > 10;
#endif
  printf("%d\n", big);
  return 0;
}
