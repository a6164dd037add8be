// Nothing but a decision differs.
// args: 10
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
#ifdef NEW
  if (n > 10)
#else
  if (n >= 10)
#endif
    puts("large");
  else
    puts("small");
  return 0;
}
