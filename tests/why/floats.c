// A sum of floating-point numbers.
// args: 2
#include <stdio.h>
#include <stdlib.h>
static double rates[] = {0.5, 0.25, 0.125};
int main(int argc, char **argv) {
  double sum = 0;
#ifdef NEW
  double scale = 1.5;
#else
  double scale = 1;
#endif
  for (int i = 0; i < 3; i++)
    sum += rates[i] * scale;
  printf("%.3f\n", sum);
  return 0;
}
