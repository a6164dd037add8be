// The example that introduces change-effect propagation: `y` changes, a decision with it.
// args: 3
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]);
  int y, o;
  if (x > 0) {
#ifdef NEW
    y = 2;
#else
    y = 3;
#endif
    if (x - y > 0)
      o = y;
    else
      o = 0;
  } else
    o = -1;
  if (x > 20)
    o = 10;
  printf("%d\n", o);
  return 0;
}
