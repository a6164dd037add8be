// The exit status differs, and nothing else.
// args: 5
#include <stdlib.h>
static int check(int n) {
#ifdef NEW
  return n > 5;
#else
  return n > 4;
#endif
}
int main(int argc, char **argv) {
  if (check(atoi(argv[1])))
    exit(2);
  return 0;
}
