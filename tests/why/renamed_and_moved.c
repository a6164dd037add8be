// Renamed variables and moved lines around the change do not take part.
// args: 4
#include <stdio.h>
#include <stdlib.h>
#ifdef NEW
static int twice(int value) { return 2 * value; }
int main(int argc, char **argv) {
  int number = atoi(argv[1]);

  int result = twice(number);
  result -= 1;
  for (int k = 0; k < 2; k++)
    result += k;
  printf("%d\n", result);
  return 0;
}
#else
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int r = 2 * n;
  r -= 2;
  for (int i = 0; i < 2; i++)
    r += i;
  printf("%d\n", r);
  return 0;
}
#endif
