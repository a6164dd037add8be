// Through arguments, a function in between, and results.
// args: 5
#include <stdio.h>
#include <stdlib.h>
static int square(int x) { return x * x; }
static int area(int width, int border) {
  int inner = width - border;
  return square(inner);
}
int main(int argc, char **argv) {
  int width = atoi(argv[1]);
#ifdef NEW
  int size = area(width, 2);
#else
  int size = area(width, 1);
#endif
  printf("area %d\n", size);
  return 0;
}
