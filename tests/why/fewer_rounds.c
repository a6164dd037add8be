// The bound of a loop changes: the last round happens in one version only.
// args: 4
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int count = 0;
#ifdef NEW
  for (int i = 0; i <= n; i++)
#else
  for (int i = 0; i < n; i++)
#endif
    count++;
  printf("%d\n", count);
  return 0;
}
