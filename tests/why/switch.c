// A `switch` takes another case.
// args: 5
#include <stdio.h>
#include <stdlib.h>
enum kind { NONE, SMALL, LARGE };
static enum kind kind_of(int n) {
#ifdef NEW
  return n > 5 ? LARGE : n > 0 ? SMALL : NONE;
#else
  return n > 4 ? LARGE : n > 0 ? SMALL : NONE;
#endif
}
int main(int argc, char **argv) {
  int fee = 0;
  switch (kind_of(atoi(argv[1]))) {
  case NONE:
    fee = 0;
    break;
  case SMALL:
    fee = 3;
    break;
  case LARGE:
    fee = 9;
    break;
  }
  printf("fee %d\n", fee);
  return 0;
}
