// Output that one version does not write.
// args: 1
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int verbose = atoi(argv[1]);
#ifdef NEW
  verbose = 0;
#endif
  puts("start");
  if (verbose)
    puts("working");
  puts("end");
  return 0;
}
