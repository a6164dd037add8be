// A check is gone: one version faults.
// args: 7
#include <stdio.h>
#include <stdlib.h>
static int values[4] = {1, 2, 3, 4};
static int at(int index) {
#ifndef NEW
  if (index >= 4)
    return -1;
#endif
  return values[index];
}
int main(int argc, char **argv) {
  printf("%d\n", at(atoi(argv[1])));
  return 0;
}
