// A difference goes through the rounds of a loop.
// args: 6
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int sum = 0;
#ifdef NEW
  int step = 2;
#else
  int step = 1;
#endif
  for (int i = 0; i < n; i++)
    sum += step;
  printf("sum %d\n", sum);
  return 0;
}
