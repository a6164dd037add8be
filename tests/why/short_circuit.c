// A part of a condition is added.
// args: 5 0
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int force = atoi(argv[2]);
#ifdef NEW
  int accepted = n > 3 && force;
#else
  int accepted = n > 3;
#endif
  if (!accepted)
    puts("refused");
  else
    puts("accepted");
  return 0;
}
