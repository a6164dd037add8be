// The initial value of a global table changes; no statement does.
// args: 2
#include <stdio.h>
#include <stdlib.h>
#ifdef NEW
static int prices[] = {10, 20, 35, 40};
#else
static int prices[] = {10, 20, 30, 40};
#endif
static int cost(int kind, int count) {
  int price = prices[kind];
  return price * count;
}
int main(int argc, char **argv) {
  printf("cost %d\n", cost(atoi(argv[1]), 3));
  return 0;
}
