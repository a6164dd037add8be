// A function that leaves its result in a global struct.
// args: 3 4
#include <stdio.h>
#include <stdlib.h>
struct state {
  int count;
  long sums[2];
} state;
static void add(int kind, int amount) {
  state.count++;
#ifdef NEW
  state.sums[kind & 1] += amount + 1;
#else
  state.sums[kind & 1] += amount;
#endif
}
int main(int argc, char **argv) {
  add(atoi(argv[1]), atoi(argv[2]));
  for (int i = 0; i < 2; i++)
    printf("%ld ", state.sums[i]);
  printf("%d\n", state.count);
  return 0;
}
