// The value is right and goes to another element.
// args: 2
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int cells[4] = {0, 0, 0, 0};
  int at = atoi(argv[1]);
#ifdef NEW
  at++;
#endif
  cells[at] = 7;
  printf("%d %d\n", cells[2], cells[3]);
  return 0;
}
