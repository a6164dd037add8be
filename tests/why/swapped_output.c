// The same lines in another order.
// args: 1
#include <stdio.h>
int main(int argc, char **argv) {
#ifdef NEW
  puts("first");
  puts("second");
#else
  puts("second");
  puts("first");
#endif
  return argc - 2;
}
