// A difference is carried from round to round.
// args: 20
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
#ifdef NEW
  unsigned h = 7;
#else
  unsigned h = 5;
#endif
  for (int i = 0; i < n; i++)
    h = h * 31 + i;
  printf("%u\n", h);
  return 0;
}
