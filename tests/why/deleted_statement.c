// An assignment is gone: what was read is older.
// args: 4
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int limit = 8;
  if (n > 3) {
#ifndef NEW
    limit = 16;
#endif
    n++;
  }
  printf("%d of %d\n", n, limit);
  return 0;
}
