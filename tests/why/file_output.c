// The difference is in a file.
// args: 3
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  FILE *out = fopen("result.txt", "w");
  if (!out)
    return 1;
  int n = atoi(argv[1]);
#ifdef NEW
  int scaled = n * 3;
#else
  int scaled = n * 2;
#endif
  fprintf(out, "n=%d\n", n);
  fprintf(out, "scaled=%d\n", scaled);
  fclose(out);
  puts("written");
  return 0;
}
